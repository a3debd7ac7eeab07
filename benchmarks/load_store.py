"""200 clients of one review store for a minute: what is acknowledged is found, and nothing else is.

    uv run nox -s load [-- SECONDS [CLIENTS]]

Each client puts an entry, looks its own keys up and one that nobody put, and checks every answer: a verdict
that was not put, another one than was put, or an acknowledged one that is missing is wrong. Ends with 1 when
any is. At the end all acknowledged entries are looked up once more. Nothing fails on a clock.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx

HERE = Path(__file__).resolve().parent
ARTIFACTIZE = (sys.executable, "-P", "-m", "artifactize")
PROCESSES = 4
KEPT_KEYS = 50


@dataclass
class Outcome:
    """What clients saw; times in milliseconds."""

    put: int = 0
    looked_up: int = 0
    lost: int = 0
    wrong: int = 0
    failed: int = 0
    put_ms: list[float] = field(default_factory=list)
    lookup_ms: list[float] = field(default_factory=list)
    acknowledged: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def refuse(self, why: str) -> None:
        """Count a request that was not answered as it should."""
        self.failed += 1
        self.failures.append(why)

    def add(self, other: Outcome) -> None:
        """Take over what others saw."""
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


def entry(name: str) -> dict[str, Any]:
    """An entry; its verdict follows from its name."""
    key = sha256(name.encode()).hexdigest()
    return {
        "key": key,
        "verdict": "GREEN" if int(key[0], 16) % 2 else "RED",
        "kind": "runtime",
        "eval": "guide/terms",
        "artifact": "guide",
        "definition": sha256(b"definition").hexdigest(),
        "fingerprints": {"guide": f"artifactsum:{key}"},
        "execution": name,
        "run": "run",
        "recorded_at": "2026-12-01T00:00:00Z",
    }


async def client(http: httpx.AsyncClient, name: str, ends: float, seen: Outcome) -> None:
    """Put and look up until the time is over."""
    mine: list[str] = []
    number = 0
    while time.monotonic() < ends:
        given = entry(f"{name}-{number}")
        number += 1
        try:
            began = time.perf_counter()
            answer = await http.put(f"/v1/entries/{given['key']}", json=given)
            seen.put_ms.append((time.perf_counter() - began) * 1000)
            if answer.status_code != httpx.codes.CREATED:
                seen.refuse(f"{answer.status_code} {answer.text[:200]}")
                continue
            seen.put += 1
            mine.append(given["key"])
            seen.acknowledged.append(given["key"])
            await look_up(http, name, number, mine[-KEPT_KEYS:], seen)
        except httpx.HTTPError as failure:
            seen.refuse(repr(failure))


async def look_up(http: httpx.AsyncClient, name: str, number: int, mine: list[str], seen: Outcome) -> None:
    """Ask for one's own keys, and for one that nobody has put yet."""
    unknown = entry(f"{name}-{number}")["key"]
    began = time.perf_counter()
    answer = await http.post("/v1/lookup", json={"keys": [*mine, unknown]})
    seen.lookup_ms.append((time.perf_counter() - began) * 1000)
    if answer.status_code != httpx.codes.OK:
        seen.refuse(f"{answer.status_code} {answer.text[:200]}")
        return
    seen.looked_up += 1
    found = answer.json()["entries"]
    seen.lost += len(set(mine) - found.keys())
    seen.wrong += sum(not is_right(key, stored["entry"]) for key, stored in found.items())
    seen.wrong += unknown in found


def is_right(key: str, found: dict[str, Any]) -> bool:
    """Whether an answer is what was put."""
    given = entry(found["execution"])
    return key == given["key"] and all(found[name] == value for name, value in given.items())


async def clients(url: str, token: str, process: int, count: int, seconds: float) -> Outcome:
    """The clients of one process."""
    seen = Outcome()
    ends = time.monotonic() + seconds
    limits = httpx.Limits(max_connections=count, max_keepalive_connections=count)
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, limits=limits, timeout=60) as http:
        await asyncio.gather(*(client(http, f"p{process}-c{number}", ends, seen) for number in range(count)))
    return seen


def in_process(arguments: tuple[str, str, int, int, float]) -> Outcome:
    """Run one process's clients."""
    return asyncio.run(clients(*arguments))


def main(seconds: float, count: int) -> int:
    """Serve, load, check, print, keep."""
    with tempfile.TemporaryDirectory(prefix="load-store-") as folder:
        place = ("--store-dir", folder)
        made = (
            *ARTIFACTIZE,
            "server",
            "token",
            "create",
            "load",
            "--scope",
            "read",
            "--scope",
            "publish",
            *place,
        )
        token = subprocess.run(made, check=True, capture_output=True, text=True).stdout.strip()
        served = (*ARTIFACTIZE, "server", "run", "--port", "0", *place)
        with subprocess.Popen(served, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            url = server.stdout.readline().rpartition(" ")[2].strip()
            seen = Outcome()
            shares = [(url, token, process, count // PROCESSES, seconds) for process in range(PROCESSES)]
            with multiprocessing.Pool(PROCESSES) as pool:
                for outcome in pool.map(in_process, shares):
                    seen.add(outcome)
            missing = still_missing(url, token, seen.acknowledged)
            server.terminate()
    return report(seen, missing, seconds=seconds, count=count)


def still_missing(url: str, token: str, acknowledged: list[str]) -> int:
    """How many of the acknowledged entries are not there at the end."""
    missing = 0
    with httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
        for start in range(0, len(acknowledged), 1000):
            keys = acknowledged[start : start + 1000]
            missing += len(set(keys) - http.post("/v1/lookup", json={"keys": keys}).json()["entries"].keys())
    return missing


def report(seen: Outcome, missing: int, *, seconds: float, count: int) -> int:
    """Print a line for people, keep the figures; 1 when anything was lost or wrong."""
    puts, lookups = (quantiles(times or [0.0, 0.0], n=100) for times in (seen.put_ms, seen.lookup_ms))
    counted = {name: value for name, value in asdict(seen).items() if isinstance(value, int)}
    figures = {
        **counted,
        "missing_at_the_end": missing,
        "failures": sorted(set(seen.failures))[:5],
        "clients": count,
        "seconds": seconds,
        "put_ms_p50_p99": [round(puts[49]), round(puts[98])],
        "lookup_ms_p50_p99": [round(lookups[49]), round(lookups[98])],
        "cores": os.cpu_count(),
    }
    sys.stdout.write(json.dumps(figures, indent=2) + "\n")
    (HERE / "results").mkdir(exist_ok=True)
    (HERE / "results/store.json").write_text(json.dumps(figures, indent=2) + "\n")
    return int(bool(seen.lost or seen.wrong or seen.failed or missing))


if __name__ == "__main__":
    given = sys.argv[1:]
    sys.exit(main(float(given[0]) if given else 60.0, int(given[1]) if len(given) > 1 else 200))
