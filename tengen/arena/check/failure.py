"""The exceptions of a check's script: the program failed, or the check does not apply."""

from __future__ import annotations


class Failure(Exception):
    """The program did not do what was expected."""

    def __init__(self, expected: str, received: str) -> None:
        super().__init__(f"expected {expected}, received {received}")
        self.expected = expected
        self.received = received


class Skip(Exception):
    """The check does not apply to this program; the reason is the text."""
