"""Tengen, a Gomoku engine, and everything around it.

    from tengen import Engine

The engine is imported when it is first asked for, so that rooms that know programs only through
pipes stay without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.api import Engine as Engine
    from engine.model import (
        Limits as Limits,
    )
    from engine.model import (
        Placed as Placed,
    )
    from engine.model import (
        Point as Point,
    )
    from engine.model import (
        Position as Position,
    )
    from engine.model import (
        Rule as Rule,
    )
    from engine.model import (
        Stone as Stone,
    )

_HOMES = {"Engine": "engine.api"} | dict.fromkeys(
    ("Limits", "Placed", "Point", "Position", "Rule", "Stone"), "engine.model"
)

__all__ = ["Engine", "Limits", "Placed", "Point", "Position", "Rule", "Stone"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
