"""Made-up secrets. They are put together at run time: no file of this repository holds one."""

from __future__ import annotations

import base64
import hashlib
import string

_LETTERS = string.ascii_letters + string.digits


def noise(length: int, *, alphabet: str = _LETTERS, seed: str = "noise") -> str:
    """Characters without any order, the same ones for the same arguments."""
    stream, block = b"", 0
    while len(stream) < length:
        stream += hashlib.sha512(f"{seed}{block}".encode()).digest()
        block += 1
    return "".join(alphabet[byte % len(alphabet)] for byte in stream[:length])


def _jwt() -> str:
    parts = ('{"alg":"HS256","typ":"JWT"}', '{"sub":"4711","iat":1700000000}')
    head = ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)
    return f"{head}.{noise(43)}"


SAMPLES: dict[str, str] = {
    "aws-access-key": "AK" + "IA" + noise(16, alphabet=string.ascii_uppercase + "234567"),
    "github-token": "gh" + "p_" + noise(36),
    "gitlab-token": "gl" + "pat-" + noise(20),
    "slack-token": "xo" + "xb-" + noise(12, alphabet=string.digits) + "-" + noise(24),
    "slack-webhook": "hooks.sla" + "ck.com/services/" + noise(44),
    "stripe-key": "sk_" + "live_" + noise(24),
    "google-key": "AI" + "za" + noise(35),
    "npm-token": "np" + "m_" + noise(36),
    "pypi-token": "py" + "pi-AgE" + noise(90),
    "jwt": _jwt(),
}
"""Kind to a value that must be found wherever it stands."""

PASSWORD = noise(22, seed="password")
KEY_BODY = [noise(64, alphabet=_LETTERS + "+/", seed=str(line)) for line in range(6)]
PRIVATE_KEY = "\n".join(
    ["-----BEGIN RSA " + "PRIVATE KEY-----", *KEY_BODY, "-----END RSA " + "PRIVATE KEY-----"]
)
