"""Serving MCP on this process's stdin and stdout, and leaving in time.

Light on purpose: only the standard library is imported until `serve` has taken the two descriptors.
"""

from mcpkit.stdio.serving import serve

__all__ = ["serve"]
