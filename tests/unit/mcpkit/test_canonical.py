from __future__ import annotations

import json
import math
from enum import Enum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpkit.canonical import canonical_json, compact_json, sha256_hex
from mcpkit.models import Wire

FLOATS = st.floats(-(2**53) + 1, 2**53 - 1)  # beyond, a whole float comes back as an integer no float holds
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | FLOATS
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)  # fmt: skip


class Colour(Enum):
    RED = "red"


class Point(Wire):
    y: int
    x: float
    colour: Colour
    path: Path


POINT = Point(y=1, x=0.5, colour=Colour.RED, path=Path("/a"))


def test_canonical_json_sorts_keys_and_shortens_numbers_as_rfc_8785_says() -> None:
    value = {"\u20ac": "Euro", "\r": "CR", "1": 1e21, "a": [56.0, 1e-7, True, None]}
    assert canonical_json(value) == '{"\\r":"CR","1":1e+21,"a":[56,1e-7,true,null],"€":"Euro"}'.encode()


def test_models_are_taken_as_their_json() -> None:
    assert canonical_json(POINT) == b'{"colour":"red","path":"/a","x":0.5,"y":1}'
    assert compact_json(POINT) == '{"y":1,"x":0.5,"colour":"red","path":"/a"}'
    assert compact_json([POINT]) == f"[{compact_json(POINT)}]"


@pytest.mark.parametrize("make", [canonical_json, compact_json])
@pytest.mark.parametrize("value", [math.nan, math.inf, "\udc80", {"a": ["\udc80"]}])
def test_what_json_cannot_hold_is_refused(make: object, value: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=r".+"):
        make(value)


@given(JSON)
def test_both_forms_say_the_same(value: object) -> None:
    assert json.loads(compact_json(value)) == value
    assert json.loads(canonical_json(value)) == value
    assert canonical_json(json.loads(canonical_json(value))) == canonical_json(value)


def test_a_digest_is_64_lower_case_hex_digits() -> None:
    assert sha256_hex(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
