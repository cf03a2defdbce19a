"""What people chose on the page, such as players and toggles: kept in a small file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from engine.files import read_file, replace_file
from tengen.game.json_text import json_text

_MOST_BYTES = 100_000
_MOST_CHARACTERS = 2000
_MOST_CHOICES = 200
Chosen = dict[str, str | bool | int | float]


class Choices:
    """The file. `log` gets a line if it cannot be read or written; what cannot be written is known
    as long as the server runs."""

    def __init__(self, path: Path, log: Callable[[str], None]) -> None:
        self._path = path
        self._log = log
        self._unwritten: Chosen = {}

    def read(self) -> Chosen:
        """What was chosen, by the names that the page gives."""
        return self._written() | self._unwritten

    def _written(self) -> Chosen:
        try:
            return _checked(read_file(self._path, _MOST_BYTES))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else ""
            self._log(f"what was chosen is forgotten: {self._path}: {reason or error}")
            return {}

    def keep(self, data: bytes) -> None:
        """Takes choices, as JSON, to those that are kept. ValueError for anything else."""
        new = _checked(data)
        kept = self.read() | new
        if len(kept) > _MOST_CHOICES:
            raise ValueError(f"more than {_MOST_CHOICES} choices")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(self._path, json_text(kept, indent=0))
            self._unwritten = {}
        except OSError as error:
            self._unwritten |= new
            self._log(f"what was chosen is not kept: {self._path}: {error.strerror or error}")


def _checked(data: bytes) -> Chosen:
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        raise ValueError("is not JSON") from None
    if not isinstance(values, dict) or not all(map(_is_choice, values.values())):
        raise ValueError("holds something else than choices")
    return values


def _is_choice(value: object) -> bool:
    is_short = not isinstance(value, str) or len(value) <= _MOST_CHARACTERS
    return is_short and isinstance(value, str | bool | int | float)
