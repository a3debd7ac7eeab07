"""A receipt as one self-contained HTML file: no script, nothing loaded from anywhere."""

from codevetter_verify.render.report.document import Picture, render_report

__all__ = ["Picture", "render_report"]
