"""Tengen: Gomoku for Python. docs/PYTHON.md shows all of it.

    from tengen import Engine, Position

    position = Position("h8 i9")
    position.play(Engine().play(position, turn_s=1))
    print(position)

The names below are imported when they are first used, so that commands that drive programs through
pipes start without the engine.
"""

# Without any import at run time: this is read before `tengen/pbrain.py` takes care of Ctrl-C.
TYPE_CHECKING = False  # type checkers take it for true

if TYPE_CHECKING:
    from engine.version import __version__
    from tengen.arena.match.scoreboard import MatchResult
    from tengen.game.files.formats import format_game, parse_game, read_game, read_games, write_game
    from tengen.game.game import Game
    from tengen.game.node import Node
    from tengen.game.position import Point, Position
    from tengen.library.engine import Engine
    from tengen.library.match import Match
    from tengen.library.program import AsyncProgram, Program, ProgramFailed
    from tengen.study.games import Games
    from tengen.study.results import (
        Analysis,
        Defences,
        Explanation,
        Line,
        Move,
        Report,
        Score,
        Solution,
        Wins,
    )
    from tengen.study.review import Review, ReviewedMove

_MODULES = {
    name: f"tengen.{module}"
    for module, names in {
        "arena.match.scoreboard": ("MatchResult",),
        "game.files.formats": (
            "format_game", "parse_game", "read_game", "read_games", "write_game",
        ),
        "game.game": ("Game",),
        "game.node": ("Node",),
        "game.position": ("Point", "Position"),
        "library.engine": ("Engine",),
        "library.match": ("Match",),
        "library.program": ("AsyncProgram", "Program", "ProgramFailed"),
        "study.games": ("Games",),
        "study.results": (
            "Analysis", "Defences", "Explanation", "Line", "Move", "Report", "Score", "Solution",
            "Wins",
        ),
        "study.review": ("Review", "ReviewedMove"),
    }.items()
    for name in names
}  # fmt: skip
_MODULES["__version__"] = "engine.version"

__all__ = [  # written out, because type checkers read it
    "Analysis",
    "AsyncProgram",
    "Defences",
    "Engine",
    "Explanation",
    "Game",
    "Games",
    "Line",
    "Match",
    "MatchResult",
    "Move",
    "Node",
    "Point",
    "Position",
    "Program",
    "ProgramFailed",
    "Report",
    "Review",
    "ReviewedMove",
    "Score",
    "Solution",
    "Wins",
    "__version__",
    "format_game",
    "parse_game",
    "read_game",
    "read_games",
    "write_game",
]


if not TYPE_CHECKING:  # type checkers must see that there are no other names

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        try:
            value = getattr(import_module(_MODULES[name]), name)
        except ModuleNotFoundError as error:
            if reason := package_hidden(error):
                raise ModuleNotFoundError(reason, name=error.name) from None
            raise
        globals()[name] = value
        return value


def package_hidden(error: ModuleNotFoundError) -> str | None:
    """Which file stands in the way of a module of Tengen's other packages that `error` says is not
    there; None if that is not the reason."""
    import sys
    from pathlib import Path

    package, _, module = (error.name or "").partition(".")
    found = getattr(sys.modules.get(package), "__file__", None)
    if package not in ("engine", "protocol") or not module or not found:
        return None
    if Path(found).parent.parent == Path(__file__).parent.parent:
        return None
    return (
        f"{found} hides the package {package!r} of Tengen; rename it, or start Python in another"
        " folder"
    )


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
