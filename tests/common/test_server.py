"""The end of a local server."""

from __future__ import annotations

import signal
import sys

import pytest
from tornado.ioloop import IOLoop

from tengen.common.server import run
from tests.processes import signal_in_a_finalizer


@pytest.mark.parametrize(
    ("name", "error"),
    [("SIGINT", KeyboardInterrupt), ("SIGTERM", SystemExit), ("SIGHUP", SystemExit)],
)
def test_a_signal_ends_the_server_wherever_it_comes(
    name: str, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    if sys.platform == "win32" and name == "SIGHUP":
        pytest.skip("there is no such signal")
    number = getattr(signal, name)
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)  # not started by nohup
    before = signal.signal(number, signal.SIG_IGN)
    closed: list[bool] = []
    try:
        IOLoop.current().add_callback(signal_in_a_finalizer, number)
        with pytest.raises(error) as raised:
            run(lambda: closed.append(True))
    finally:
        signal.signal(number, before)
    assert closed == [True]
    if isinstance(raised.value, SystemExit):
        assert raised.value.code == 128 + number
