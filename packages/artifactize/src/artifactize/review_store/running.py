"""Serving a review store until a signal ends it."""

from __future__ import annotations

import contextlib
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

import uvicorn

from artifactize.errors import ReviewStoreError
from artifactize.remote.config import is_loopback
from artifactize.review_store.app import application
from artifactize.review_store.keeping import Keeper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from artifactize.store.team.database import TeamDatabase

_BACKLOG = 1024
_GRACE_S = 10


@dataclass(frozen=True, slots=True)
class Listening:
    """Where it listens; with a certificate and its key it speaks TLS."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None
    behind_proxy: bool = False

    def refuse_plain(self) -> None:
        """Raise ReviewStoreError where tokens would cross a network in the clear."""
        if self.certificate is None and not self.behind_proxy and not is_loopback(self.host.strip("[]")):
            raise ReviewStoreError(
                f"on {self.host} tokens would cross the network in the clear",
                hint="give --tls-certificate and --tls-key, or --behind-proxy where a proxy speaks TLS",
            )


def serve(database: TeamDatabase, listening: Listening, *, most: int, ready: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; `ready` is told the address when it listens. Raises ReviewStoreError."""
    listening.refuse_plain()
    config = uvicorn.Config(
        application(Keeper(database, most=most)),
        host=listening.host,
        port=listening.port,
        ssl_certfile=None if listening.certificate is None else str(listening.certificate),
        ssl_keyfile=None if listening.key is None else str(listening.key),
        log_config=None,
        access_log=False,
        server_header=False,
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_GRACE_S,
        timeout_keep_alive=75,  # a busy client is not told that its connection ended as it asks
        ws="none",
    )
    _Server(config, listening, ready).run()


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, listening: Listening, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._listening = listening
        self._ready = ready

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """End in order at a signal, which is no failure; uvicorn would raise it once more at the end."""
        former = {each: signal.signal(each, self.handle_exit) for each in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for each, handler in former.items():
                signal.signal(each, handler)

    async def startup(self, sockets: list[object] | None = None) -> None:  # type: ignore[override] # uvicorn's own
        await super().startup(sockets)  # type: ignore[arg-type] # as given
        if self.started:
            port = self.servers[0].sockets[0].getsockname()[1]
            scheme = "http" if self._listening.certificate is None else "https"
            host = f"[{self._listening.host}]" if ":" in self._listening.host else self._listening.host
            self._ready(f"{scheme}://{host}:{port}")
