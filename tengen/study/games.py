"""The answers of a base of games: what was played in a position, how it ended, and the games behind
it. The file is base.py's, collect.py reads into it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from typing import Any

from engine.files import read_file
from tengen.game.arguments import file_name, of_type, text, whole
from tengen.game.files.formats import MAX_BYTES, games_of
from tengen.game.game import Game
from tengen.game.keys import NO_MOVE, keys_for
from tengen.game.position import Point, Position, rule_of
from tengen.game.referee import BLACK, Cell, opponent_of
from tengen.game.values import json_text
from tengen.study.base import LIBRARIES, Base, stored_path
from tengen.study.collect import Added, Reading
from tengen.study.stored import (
    SELECT_KNOWN,
    STORED,
    Explored,
    KnownGame,
    PlayedMove,
    Stored,
    known,
)

# Of a file that is read again for the comments of one game, in bytes.
_MOST_OPENED = 2_000_000
# The largest number of sqlite.
_MOST = (1 << 63) - 1
# The newest games, where a search looks first.
_NEWEST = 5000
# How often each move was played, and how these games ended.
_EXPLORE = """
SELECT move, sum(count * (result < 4)), sum(count * (result = 1)), sum(count * (result = 2)),
    sum(count * (result = 3)), sum(chance), sum(chances), sum(count * (result = 4))
FROM (
    SELECT move, result, count, chance, chances FROM summed WHERE key = :key AND count > 0
    UNION ALL
    SELECT move, result, 1, chance, chance IS NOT NULL FROM played WHERE key = :key AND run IN
        (SELECT id FROM runs WHERE id NOT IN (SELECT run FROM summed WHERE key = :key))
) GROUP BY move
"""
_HAS_WORD = " AND ({})".format(
    " OR ".join(
        f"{{0}}{name} IN (SELECT value FROM json_each(?))"
        for name in ("black", "white", "event", "date", "content")
    )
)


class Games(Base):
    """The base in a file, which is made if there is none; None = that of `tengen board`.

        with Games("games.db") as games:
            print(games.add("tournament.rif", "old-games/"))
            print(games.explore(Position("h8 i9")))

    patience_s  how long another program may write before this one gives up.

    Several programs may use it at once. ValueError in one line, and nothing is changed, for a file
    that is damaged, in use by another program for long, or of another version; OSError if it cannot
    be opened.
    """

    # -- reading

    def add(
        self,
        *paths: str | os.PathLike[str],
        rule: str | int | None = None,
        jobs: int | None = None,
        on_progress: Callable[[Added], None] | None = None,
    ) -> Added:
        """Reads files of games, and those in folders. A file that is known is not read again; one
        that has changed takes the place of what was read from it. A file that cannot be read does
        no harm to the others, and neither does the end of this program at any moment.

        rule         of the games, whatever the files say.
        jobs         processes that read; None = as many as there are processors.
        on_progress  called now and then with what has been done so far; what it raises ends it.
        OSError if a path does not exist.
        """
        names = [os.path.abspath(file_name("path", path)) for path in paths]
        for name in names:
            os.stat(name)
        number = None if rule is None else rule_of(rule)
        reading = Reading(self, number, on_progress or (lambda added: None))
        return reading.run(names, whole("jobs", jobs or os.cpu_count() or 1, 1))

    def remove(self, path: str | os.PathLike[str]) -> None:
        """Forgets a file, and its games unless another file has them too."""
        name = stored_path(os.path.abspath(file_name("path", path)))
        with self.writing():
            old = self.db.execute("SELECT content FROM files WHERE path = ?", (name,)).fetchone()
            self.db.execute("DELETE FROM files WHERE path = ?", (name,))
            self.drop_unnamed(old and old[0])

    # -- answers

    def explore(self, position: Position, games: int = 20, own: Collection[Cell] = ()) -> Explored:
        """What was played in a position, in any of its images and after any order of moves;
        `games`, how many of the games are named. Of moves that the position does not tell apart,
        one of `own` is named."""
        of_type("position", position, Position, "a tengen.Position")
        whole("games", games, 0, _MOST)
        keys = keys_for(*position.size, position.rule_number)
        stones, side = position.all_stones, position.side
        key = keys.of(stones, side)
        empty = position.referee().empties()
        cells = keys.moves(stones, side, sorted(empty, key=lambda cell: cell not in own))
        with self.faults():
            rows = self.db.execute(_EXPLORE, {"key": key}).fetchall()
            moves = []
            for move, count, black, white, drawn, reported, number, libraries in rows:
                if move == NO_MOVE:
                    continue
                cell = cells[move]
                known = self._chance(keys.of([*stones, (*cell, side)], opponent_of(side)))
                chance: float | None = reported / number / 1000 if number else None
                if known is not None:
                    chance = known if side == BLACK else 1 - known
                point = Point(*cell, position.height)
                moves.append(PlayedMove(point, count, black, white, drawn, chance, libraries))
            moves.sort(key=lambda each: (-each.count, -each.libraries, each.move.y, each.move.x))
            (libraries,) = self.db.execute(
                "SELECT count(DISTINCT game) FROM played WHERE run = ? AND key = ?",
                (LIBRARIES, key),
            ).fetchone()
            behind = self._behind(key, games)
            return Explored(sum(row[1] for row in rows), tuple(moves), behind, libraries)

    def _chance(self, key: int) -> float | None:
        row = self.db.execute("SELECT chance FROM chances WHERE key = ?", (key,)).fetchone()
        return row and float(row[0])

    def _behind(self, key: int, count: int) -> tuple[KnownGame, ...]:
        """The newest games that have reached a position, of a run with many the first ones, so that
        not all have to be looked at; then so many libraries."""
        query = "SELECT DISTINCT game FROM played WHERE run = ? AND key = ? LIMIT ?"
        found: list[int] = []
        runs = "SELECT id FROM runs WHERE id != ? ORDER BY id = 0 DESC, id DESC"
        for (run,) in self.db.execute(runs, (LIBRARIES,)):
            found += (game for (game,) in self.db.execute(query, (run, key, count - len(found))))
            if len(found) >= count:
                break
        found += (game for (game,) in self.db.execute(query, (LIBRARIES, key, count)))
        return tuple(map(self._known, found))

    def find(self, words: str = "", limit: int = 100) -> tuple[KnownGame, ...]:
        """The games, and libraries, with all these words in the names of the players, the event,
        the date or the path of the file, the newest first."""
        limit, has_words, values = whole("limit", limit, 0, _MOST), "", list[str]()
        with self.faults():
            for word in text("words", words).casefold().split():
                names = self._ids("SELECT id FROM names WHERE instr(folded, ?)", word)
                contents = self._ids("SELECT content FROM files WHERE instr(folded(path), ?)", word)
                has_words += _HAS_WORD
                values += [names] * 4 + [contents]
            # Among the newest games without an index, which gives all games with a frequent word.
            for plus, first in (("+", f"(SELECT max(id) - {_NEWEST} FROM games)"), ("", "0")):
                rows = self.db.execute(
                    f"SELECT id FROM games WHERE id > {first}{has_words.format(plus)}"
                    " ORDER BY id DESC LIMIT ?",
                    (*values, limit),
                ).fetchall()
                if len(rows) == limit:
                    break
        return tuple(self._known(number) for (number,) in rows)

    def _ids(self, query: str, word: str) -> str:
        found = self.db.execute(query, (stored_path(word),))
        return json_text([number for (number,) in found])

    def game(self, number: int) -> Game:
        """A game by its id, as its file has it; its moves alone if that is gone, another one now,
        or large. ValueError if there is none."""
        known = self._known(number)
        with suppress(OSError, ValueError), self.faults():
            query = "SELECT bytes, time_ns, rule FROM files WHERE path = ?"
            row = self.db.execute(query, (stored_path(known.path),)).fetchone()
            status = os.stat(known.path)
            if row and (status.st_size, status.st_mtime_ns) == row[:2] and row[0] <= _MOST_OPENED:
                data = read_file(known.path, MAX_BYTES)
                return games_of(data, known.path, row[2])[known.number - 1]
        return self.moves_of(number)

    def moves_of(self, number: int) -> Game:
        """A game by its id, its moves alone. ValueError if there is none."""
        return Stored(*self._row(f"SELECT {STORED} FROM games g WHERE id = ?", number)).game()

    def _known(self, number: int) -> KnownGame:
        return known(*self._row(f"{SELECT_KNOWN} WHERE g.id = ?", number))

    def _row(self, query: str, number: int) -> Sequence[Any]:
        whole("number", number, 0, _MOST)
        with self.faults():
            row: Sequence[Any] = self.db.execute(query, (number,)).fetchone()
        if row is None:
            raise ValueError(f"{self.path}: there is no game {number}")
        return row

    def note(self, position: Position, chance: float) -> None:
        """Keeps Black's chance to win in a position, 0 to 1, as an analysis has found it last."""
        key = keys_for(*position.size, position.rule_number).of(position.all_stones, position.side)
        with self.writing():
            self.db.execute("INSERT OR REPLACE INTO chances VALUES (?, ?)", (key, chance))
