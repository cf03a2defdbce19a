from typing import NamedTuple

class Parameter(NamedTuple):
    name: str
    default: int
    low: int
    high: int
    unit: str
    meaning: str

PARAMS: tuple[Parameter, ...]
