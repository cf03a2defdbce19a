"""Types of the compiled module engine/features.pyx. `Numbers` is any array of the type that the
docstring names."""

from typing import Any

Numbers = Any

def features_of(
    rule: int, width: int, height: int, stones: Numbers, played: int = -1
) -> tuple[list[list[list[int]]], list[int], list[tuple[int, int, int]], int]: ...
def patterns_of_rows(rule: int) -> bytes: ...

class GameReader:
    def __init__(self, rule: int, width: int, height: int) -> None: ...
    def describe(
        self,
        stones: Numbers,
        value: Numbers,
        threats: Numbers,
        is_decided: Numbers,
    ) -> None: ...
