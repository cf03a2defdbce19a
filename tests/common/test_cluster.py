"""A cluster of our own: Ctrl-C while it starts, and beside another."""

from __future__ import annotations

import os
import signal
from typing import Any

import pytest

pytest.importorskip("distributed")

from tengen.common import cluster


class Fake:
    """A cluster or a client that is interrupted in its start, and notes how it ends."""

    log: list[str]

    def __init__(self, *args: Any, **options: Any) -> None:
        if "n_workers" in options:
            os.kill(os.getpid(), signal.SIGINT)
        self.log.append("started")

    def __enter__(self) -> Fake:
        return self

    def __exit__(self, *error: object) -> None:
        self.log.append("closed")


@pytest.mark.skipif(os.name != "posix", reason="sends itself a signal")
def test_an_interrupt_in_the_start_waits_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    Fake.log = []
    monkeypatch.setattr(cluster, "LocalCluster", Fake)
    monkeypatch.setattr(cluster, "Client", Fake)
    with pytest.raises(KeyboardInterrupt), cluster.connect("local:2"):
        raise AssertionError("the block must not be entered")
    assert Fake.log == ["started", "started", "closed", "closed"]


def test_a_cluster_beside_another_warns_of_nothing(recwarn: pytest.WarningsRecorder) -> None:
    with cluster.connect("local:1") as first, cluster.connect("local:1") as second:
        assert first.submit(abs, -1).result() == second.submit(abs, -1).result() == 1
    assert [str(warning.message) for warning in recwarn] == []
