"""A team's review store as its users meet it: a server, developers and CI with states of their own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import threading
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from support.artifacts import ArtifactProject, counting, lines_of, wait_for
from support.review_store import BOUND_S, ServedStore, entry, key_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.artifacts import Ran


class Developer:
    """A state of one's own of a shared project, logged in to a store."""

    def __init__(self, project: ArtifactProject, state: Path) -> None:
        self.project = ArtifactProject(project.root, state, {})
        self.state = state

    def run(self, *words: str) -> Ran:
        return self.project.run(*words)

    def login(self, store: ServedStore, token: str, *words: str) -> Ran:
        done = subprocess.run(
            self.project.command("remote", "login", store.url, "--token-stdin", *words),
            input=token,
            capture_output=True,
            text=True,
            timeout=BOUND_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return self.run("remote", "status", "--json")

    def waiting(self) -> int:
        return int(self.run("remote", "status", "--json").json["waiting"])

    def sources(self, *words: str) -> dict[str, Any]:
        found = self.project.result("--all", *words)["sources"]
        return {name: count for name, count in found.items() if count}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ServedStore]:
    with ServedStore(tmp_path / "store") as served:
        yield served


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "executed"


@pytest.fixture
def project(tmp_path: Path, log: Path) -> ArtifactProject:
    project = ArtifactProject.create(tmp_path).write("guide/text.txt", "one\n")
    return project.declare("guide", evals={"good": counting(log), "bad": counting(log, then="false")})


def test_what_one_judged_the_other_reuses_while_it_holds(
    store: ServedStore, project: ArtifactProject, tmp_path: Path, log: Path
) -> None:
    ada, ci = Developer(project, tmp_path / "ada"), Developer(project, tmp_path / "ci")
    ada.login(store, store.token("ada", "read", "publish"))
    ci.login(store, store.token("ci", "read"))

    assert ada.sources() == {"executed": 2}
    wait_for(lambda: ada.waiting() == 0)
    planned = {each["action"] for each in ci.run("status", "--json").json["evals"]}
    assert (planned, ci.sources("--require-store"), lines_of(log)) == ({"reuse"}, {"reused": 2}, 2)
    # nothing is kept here of what the store said: what is taken back there holds nowhere
    assert ci.run("cache", "list", "--json").json["entries"] == []
    assert ci.sources() == {"reused": 2}
    store.run("rm", "--eval", "guide/good", "--purge")
    assert ci.sources() == {"executed": 1, "reused": 1}
    assert ci.run("remote", "push").code == 1
    # a change asks another question
    project.write("guide/text.txt", "two\n")
    assert (ci.sources(), lines_of(log)) == ({"executed": 2}, 5)


def test_trouble_with_the_line_stops_nothing_and_a_refusal_stops_everything(
    store: ServedStore, project: ArtifactProject, tmp_path: Path, log: Path
) -> None:
    ada = Developer(project, tmp_path / "ada")
    ada.login(store, store.token("ada", "read", "publish"))
    store.process.send_signal(signal.SIGTERM)
    assert store.process.wait(BOUND_S) == 0

    closed = ada.run("verify", "--all", "--require-store")
    opened = ada.run("verify", "--all")
    assert (closed.code, opened.code, lines_of(log)) == (2, 1, 2)
    assert "--require-store: " in closed.err
    assert "going on without the review store" in opened.err
    assert ada.waiting() == 2
    with ServedStore(tmp_path / "store", port=store.port) as again:
        assert ada.run("remote", "push", "--json").json["put"] == 2
        assert ada.waiting() == 0
        again.run("token", "revoke", "ada")
        project.write("guide/text.txt", "two\n")
        refused = ada.run("verify", "--all", "--json")
        assert (refused.code, refused.json["error"]["code"]) == (2, "review_store")
        assert lines_of(log) == 2
        assert ada.run("remote", "logout").code == 0
        assert ada.run("verify", "--all").code == 1


def test_only_what_a_trusted_key_signed_counts(
    store: ServedStore, project: ArtifactProject, tmp_path: Path, log: Path
) -> None:
    key, other = tmp_path / "key.pem", tmp_path / "other.pem"
    public = {}
    for file in (key, other):
        subprocess.run(("openssl", "genpkey", "-algorithm", "ed25519", "-out", str(file)), check=True)
        command = ("openssl", "pkey", "-in", str(file), "-pubout", "-outform", "DER")
        der = subprocess.run(command, check=True, capture_output=True).stdout
        encoded = subprocess.run(("base64", "-w0"), input=der, check=True, capture_output=True)
        public[file] = encoded.stdout.decode()
    ada, ben, eve = (Developer(project, tmp_path / name) for name in ("ada", "ben", "eve"))
    ada.login(store, store.token("ada", "read", "publish"), "--sign-with", str(key))
    ben.login(store, store.token("ben", "read"), "--trust", public[key])
    eve.login(store, store.token("eve", "read"), "--trust", public[other])

    assert ada.sources() == {"executed": 2}
    wait_for(lambda: ada.waiting() == 0)
    assert (ben.sources(), lines_of(log)) == ({"reused": 2}, 2)
    assert (eve.sources(), lines_of(log)) == ({"executed": 2}, 4)


def test_an_answer_for_other_inputs_is_a_failure_and_no_verdict(
    store: ServedStore, project: ArtifactProject, tmp_path: Path, log: Path
) -> None:
    ada, ben = Developer(project, tmp_path / "ada"), Developer(project, tmp_path / "ben")
    ada.login(store, store.token("ada", "read", "publish"))
    ben.login(store, store.token("ben", "read"))
    assert ada.sources() == {"executed": 2}
    wait_for(lambda: ada.waiting() == 0)
    with sqlite3.connect(tmp_path / "store/review-store.db") as connection:
        connection.execute("UPDATE entries SET document = replace(document, 'artifactsum:', 'artifactsum:0')")
    connection.close()

    refused = ben.run("verify", "--all")
    assert (refused.code, lines_of(log)) == (2, 2)
    assert "answers for other inputs" in refused.err


def test_what_was_acknowledged_survives_the_death_of_the_server(tmp_path: Path) -> None:
    acknowledged: list[str] = []
    folder = tmp_path / "store"
    with ServedStore(folder) as store:
        headers = {"Authorization": f"Bearer {store.token('dev', 'read', 'publish')}"}

        def put(worker: int) -> None:
            with httpx.Client(base_url=store.url, headers=headers, timeout=BOUND_S) as http:
                for number in range(10_000):
                    name = f"{worker}-{number}"
                    try:
                        answer = http.put(f"/v1/entries/{key_of(name)}", json=entry(name))
                    except httpx.HTTPError:
                        return
                    assert answer.status_code == 201
                    acknowledged.append(name)

        threads = [threading.Thread(target=put, args=(worker,)) for worker in range(8)]
        for thread in threads:
            thread.start()
        wait_for(lambda: len(acknowledged) >= 200)
        os.kill(store.process.pid, signal.SIGKILL)
        for thread in threads:
            thread.join(BOUND_S)
    with ServedStore(folder) as store:
        found: dict[str, Any] = {}
        for start in range(0, len(acknowledged), 1000):
            keys = [key_of(name) for name in acknowledged[start : start + 1000]]
            answer = httpx.post(
                f"{store.url}/v1/lookup", json={"keys": keys}, headers=headers, timeout=BOUND_S
            )
            found |= answer.json()["entries"]
    assert found.keys() == {key_of(name) for name in acknowledged}
    assert all(stored["entry"]["verdict"] == "GREEN" for stored in found.values())
