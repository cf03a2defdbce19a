"""Commands of `tengen`, run in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Said(NamedTuple):
    """What a command has done: its exit status, what it has printed, and its errors."""

    status: int
    out: str
    err: str

    @property
    def good(self) -> str:
        """What it has printed; it ended well."""
        assert self.status == 0, self
        return self.out

    @property
    def refusal(self) -> str:
        """The one line in which it has refused something."""
        assert (self.status, self.out, self.err.count("\n")) == (2, "", 1), self
        return self.err


Run = Callable[..., Said]
