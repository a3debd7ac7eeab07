"""Driving servers in tests: with the official client, with raw frames, and what must hold for any of them."""

from mcpkit.testing.checks import check_failure, check_success, check_tools
from mcpkit.testing.client import connect
from mcpkit.testing.raw import PROTOCOLS, RawServer

__all__ = ["PROTOCOLS", "RawServer", "check_failure", "check_success", "check_tools", "connect"]
