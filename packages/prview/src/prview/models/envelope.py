"""How prview words its failures, on the wire and under `--json`."""

from __future__ import annotations

from mcpkit.envelope import ClassEnvelope
from prview.errors import ERROR_CLASSES
from prview.models.versions import SCHEMA_VERSION

envelope = ClassEnvelope(classes=ERROR_CLASSES, schema_version=SCHEMA_VERSION)
