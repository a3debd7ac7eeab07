"""How artifactize words its failures on a wire: `{code, message}`."""

from __future__ import annotations

from artifactize.errors import CODES
from mcpkit.envelope import CodeEnvelope

ENVELOPE = CodeEnvelope(CODES)
