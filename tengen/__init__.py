"""Tengen, a Gomoku engine and the programs around it.

    from tengen import Engine, Limits, Position

The names below come from `engine.api` and `engine.model`. They are imported when first used, so
that commands that drive programs through pipes start without the engine.
"""

# Without any import at run time: this is read before `tengen/pbrain.py` takes care of Ctrl-C.
TYPE_CHECKING = False  # type checkers take it for true

if TYPE_CHECKING:
    from engine.api import Engine
    from engine.model import (
        Census,
        Defences,
        Info,
        Limits,
        Line,
        Placed,
        Point,
        Position,
        ProofNode,
        Result,
        Rule,
        Score,
        Solution,
        SolveLimits,
        Status,
        Stone,
        VcfCount,
    )
    from engine.version import __version__

__all__ = [
    "Census",
    "Defences",
    "Engine",
    "Info",
    "Limits",
    "Line",
    "Placed",
    "Point",
    "Position",
    "ProofNode",
    "Result",
    "Rule",
    "Score",
    "Solution",
    "SolveLimits",
    "Status",
    "Stone",
    "VcfCount",
    "__version__",
]

_MODULES = {"Engine": "engine.api", "__version__": "engine.version"}


if not TYPE_CHECKING:  # type checkers must see that there are no other names

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        value = getattr(import_module(_MODULES.get(name, "engine.model")), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
