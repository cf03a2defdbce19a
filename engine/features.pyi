"""Types of the compiled module engine/features.pyx. `_Numbers` is any array of the type that the
docstring names."""

from typing import Any

_Numbers = Any

def features_of(
    rule: int, width: int, height: int, stones: _Numbers, played: int = -1
) -> tuple[list[list[list[int]]], list[tuple[int, int, int, int]], list[int], int]: ...
def patterns_of_rows(rule: int) -> bytes: ...

class GameReader:
    def __new__(cls, rule: int, width: int, height: int) -> GameReader: ...
    def describe(self, stones: _Numbers, threats: _Numbers, is_decided: _Numbers) -> None: ...
