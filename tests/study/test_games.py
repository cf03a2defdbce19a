"""The base of games: keys of positions, what is counted, what is read once, and bad bases."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

from engine import files
from tengen import Game, Games, Position, format_game, parse_game, write_game
from tengen.cli import run
from tengen.game.files.plain_moves import write_pgn
from tengen.game.keys import keys_for
from tengen.game.position import BoardSize, Point
from tengen.game.referee import Stone
from tengen.study import collect
from tests.stopwatch import Late, timed

SIZES: list[tuple[BoardSize, int]] = [((15, 15), 0), ((9, 9), 4), ((7, 10), 1), ((22, 5), 0)]


def random_games(seed: int, count: int, size: BoardSize = (7, 7), moves: int = 7) -> list[Game]:
    """Games on a small part of the board, so that they share positions, also turned ones."""
    draw = random.Random(seed)
    games = []
    for number in range(count):
        position = Position(size=size)
        for _ in range(draw.randint(0, moves)):
            near = [p for p in position.legal_moves() if 2 <= p.x <= 4 and 1 <= p.y <= 3]
            position.play(draw.choice(near))
        game = Game(position.moves, size=size, black=f"Ann {number}", white="Ben")
        game.result = draw.choice(["black", "white", "draw"])
        games.append(game)
    return games


def write_all(folder: Path, games: list[Game]) -> None:
    """One file for each, and several in one."""
    folder.mkdir()
    half = len(games) // 2
    for number, game in enumerate(games[:half]):
        write_game(game, folder / f"{number}{'.sgf' if number % 2 else '.psq'}")
    (folder / "many.sgf").write_text("\n".join(map(str, map(sgf, games[half:]))), "utf-8")


def sgf(game: Game) -> str:
    text = format_game(game, ".sgf")
    assert isinstance(text, str)
    return text


def counts(games: Games, position: Position) -> Counter[Position]:
    """How often each position was reached by a move, by its smallest image."""
    found: Counter[Position] = Counter()
    for each in games.explore(position).moves:
        found[least(after(position, each.move))] += each.count
    return found


def after(position: Position, move: Point) -> Position:
    board = position.copy()
    board.play(move)
    return board


def least(position: Position) -> Position:
    return min(position.symmetries(), key=str)


def stones_of(position: Position) -> tuple[Stone, ...]:
    """The stones of its smallest image, in whatever order they were set."""
    return min(tuple(sorted(each.all_stones)) for each in position.symmetries())


# -- keys


@pytest.mark.parametrize(("size", "rule"), SIZES)
def test_a_key_is_the_same_for_all_images_and_orders_of_moves_and_for_nothing_else(
    size: BoardSize, rule: int
) -> None:
    draw = random.Random(size[0])
    keys = keys_for(*size, rule)
    known: dict[int, Position] = {}
    for _ in range(60):
        position = Position(size=size, rule=rule)
        for _ in range(draw.randint(0, 9)):
            if not position.is_over:
                position.play(draw.choice(position.legal_moves()))
        key = keys.of(position.all_stones, position.side)
        assert {keys.of(each.all_stones, each.side) for each in position.symmetries()} == {key}
        stones = list(position.all_stones)
        draw.shuffle(stones)
        assert keys.of(stones, position.side) == key
        assert keys.of(stones, 3 - position.side) != key
        assert keys_for(*size, 1 - rule % 2).of(stones, position.side) != key
        assert known.setdefault(key, least(position)) == least(position)


def test_a_key_of_a_file_is_the_same_with_every_version() -> None:
    steps = ((*stone, 0) for stone in Position("h8 i9").all_stones)
    found = [*keys_for(15, 15, 4).along((), steps, 1)]
    assert found == [(-2087834283118005689, 112), (-5769871933480222112, 96)]


@pytest.mark.parametrize(("size", "few"), [((7, 7), 200), ((8, 7), 3)])
def test_the_moves_of_a_position_are_those_of_all_games_that_reach_it(
    tmp_path: Path, size: BoardSize, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "_FEW", few)  # where the rows of more games are added up
    played = random_games(1, 60, size)
    write_all(tmp_path / "games", played)
    expected: dict[Position, Counter[Position]] = {}
    for game in played:
        for number in range(len(game)):
            here, then = (least(game.position(n)) for n in (number, number + 1))
            expected.setdefault(here, Counter())[then] += 1
    with Games(tmp_path / "base") as games:
        assert games.add(tmp_path / "games").games == len(games) == 60
        for position, moves in expected.items():
            for image in position.symmetries():
                assert counts(games, image) == moves
        reached = sum(least(g.position()) == least(Position("d5", size=size)) for g in played)
        found = games.explore(Position("d5", size=size), 100)
        assert found.count == reached + sum(each.count for each in found.moves)
        assert len(found.games) == found.count
        for each in found.games:  # the games behind it are those
            assert games.game(each.id).names == (each.black, each.white)
        assert games.db.execute("SELECT count(*) FROM summed").fetchone()[0] > 0 or few == 200
        # Those that were written without a result have none.
        assert sum(m.black + m.white + m.drawn for m in games.explore(Position(size=size)).moves)


def test_games_that_transpose_are_one_position(tmp_path: Path) -> None:
    lines = ["h8 i9 g9 f7", "g9 i9 h8 f7", *(" ".join(p) for p in permutations(("h8", "i9", "g9")))]
    for number, line in enumerate(lines):
        write_game(Game(line), tmp_path / f"{number}.sgf")
    with Games(tmp_path / "base") as games:
        games.add(tmp_path)
        [move] = games.explore(Position("g9 i9 h8")).moves
        assert (move.move, move.count, move.chance) == ("f7", 2, None)
        # Where White has g9 it is the same, mirrored; not where White has h8.
        assert games.explore(Position("g9 i9 h8")).count == 6
        games.note(Position("h8 i9 g9 f7"), 0.9)
        games.note(Position("h8 i9 g9 f7"), 0.3)
        [move] = games.explore(Position("g9 i9 h8")).moves
        assert move.chance == pytest.approx(0.7)  # White's


def test_what_programs_reported_and_how_it_ended_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = (
        '{"game": %d, "black": "a", "white": "b", "rule": 0, "winner": "black", "termination":'
        ' "FIVE", "moves": [[7, 7], [8, 8]], "reports": [{"value": %d}, null]}\n'
    )
    text = '{"format": 1, "programs": []}\n' + record % (0, 0) + record % (1, 1000)
    (tmp_path / "games.jsonl").write_text(text)
    (tmp_path / "game.sgf").write_text("(;B[hh])")  # the folder of a match has its games twice
    base = f"--base={tmp_path / 'base'}"
    assert run(["games", "add", base, str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("2 games of 1 file added; 2 games in ")
    assert run(["games", "show", base, "--games", "1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "2 games" and "2  black 100%  white   0%  drawn   0%  value  7" in shown[1]
    assert shown[2].endswith(f"a - b, black, 2 moves, {tmp_path / 'games.jsonl'}")
    assert run(["games", "show", base, "--json", "h8"]) == 0
    assert '"count": 2' in capsys.readouterr().out
    assert run(["games", "count", base]) == 0
    assert capsys.readouterr().out == "2\n"


def test_all_lines_of_a_library_are_found_and_counted_as_no_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "(;W[ig](;B[ij];W[gi];B[ff])(;B[ff];W[gi];B[ij];W[aa]))(;W[gg];B[aa])"
    tree = parse_game(f"(;RU[renju]GM[4]SZ[15];B[hh]{lines})")
    write_game(tree, tmp_path / "lines.lib")
    base = f"--base={tmp_path / 'base'}"
    assert run(["games", "add", base, str(tmp_path / "lines.lib")]) == 0
    assert capsys.readouterr().out.startswith("0 games and 1 library of 1 file added; 0 games in ")
    with Games(tmp_path / "base") as games:
        positions = [node.position() for node in tree.nodes()]
        assert len({*map(stones_of, positions)}) == 10  # of 12: lines meet, and g9 is i9 turned
        for position in positions:
            expected = {
                stones_of(child.position())
                for node in tree.nodes()
                if stones_of(node.position()) == stones_of(position)
                for child in node.children
            }
            for image in position.symmetries():
                found = games.explore(image)
                assert (found.count, found.libraries, len(found.moves)) == (0, 1, len(expected))
                assert all((each.count, each.libraries) == (0, 1) for each in found.moves)
                assert {stones_of(after(image, each.move)) for each in found.moves} == expected
        [library] = found.games
        assert (library.result, library.moves, library.path[-9:]) == ("library", 11, "lines.lib")
        # A game of one of its lines is a game, and its moves are in a library too.
        write_game(Game("h8 i9 i6", rule="renju", black="Ann"), tmp_path / "game.sgf")
        games.add(tmp_path / "game.sgf")
        assert len(games) == 1 and [each.black for each in games.find("ann")] == ["Ann"]
        found = games.explore(Position("h8 i9", rule="renju"))
        assert (found.count, found.libraries, len(found.games)) == (1, 1, 2)
        assert [(each.count, each.libraries) for each in found.moves] == [(1, 1), (0, 1), (0, 1)]
        # The tree is kept without its file, and goes with its name.
        (tmp_path / "lines.lib").unlink()
        kept = games.game(library.id)
        assert [n.position() for n in kept.nodes()] == positions
        games.remove(tmp_path / "lines.lib")
        assert games.db.execute("SELECT count(*) FROM played").fetchone() == (4,)
    assert run(["games", "show", base, "--rule=renju", "h8"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "1 game"


def test_a_search_takes_words_as_they_stand_and_in_small_letters(tmp_path: Path) -> None:
    for number, black in enumerate(("Иван", "100%", "A_B", "Ann")):
        write_game(Game(f"h8 i{number + 1}", black=black, white="Ben"), tmp_path / f"Ф{number}.sgf")
    with Games(tmp_path / "base") as games:
        for number in range(4):
            games.add(tmp_path / f"Ф{number}.sgf")
        for words, expected in (
            ("ИВАН ben", ["Иван"]), ("%", ["100%"]), ("_b", ["A_B"]), ("ф3.sGf", ["Ann"]),
            ("ann ivan", []), ("ben", ["Ann", "A_B", "100%", "Иван"]),
        ):  # fmt: skip
            assert [each.black for each in games.find(words)] == expected
        assert [each.black for each in games.find("ben", 1)] == ["Ann"]
        assert games.find("\0") == ()
        for ask in (
            lambda: games.game(10**30), lambda: games.find("", 10**30), lambda: games.add(""),
            lambda: games.explore(Position(), 10**30), lambda: games.add("a\0"),
            lambda: games.remove("\ud800"),
        ):  # fmt: skip
            with pytest.raises(ValueError, match="expected a (whole number|path)"):
                ask()


# -- files


def test_nothing_is_read_twice_and_what_has_changed_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def read_file(name: str, most: int) -> bytes:
        read.append(name)
        return files.read_file(name, most)

    monkeypatch.setattr(collect, "read_file", read_file)
    file, copy = tmp_path / "a.sgf", tmp_path / "b.sgf"
    write_game(Game("h8 i9"), file)
    copy.write_bytes(file.read_bytes())
    with Games(tmp_path / "base") as games:
        assert str(games.add(tmp_path)) == "1 game of 2 files added"
        assert str(games.add(file, copy)) == "0 games of 0 files added, 2 files known"
        assert len(read) == 2
        # The copy keeps the game that its original no longer has.
        write_game(Game("h8 i9 j10 k11"), file)
        games.add(tmp_path)
        assert len(games) == 2 and games.explore(Position("h8 i9")).count == 2
        games.remove(copy)
        assert len(games) == 1 and games.explore(Position("h8")).count == 1
        assert [(game.path, game.moves) for game in games.find("a.sgf")] == [(str(file), 4)]
        # A file that is gone is still known.
        file.unlink()
        [known] = games.find()
        assert str(games.game(known.id)) == "h8 i9 j10 k11"
        games.remove(file)
        assert len(games) == 0 and not games.explore(Position()).count
        assert games.db.execute("SELECT count(*) FROM played").fetchone() == (0,)


def test_what_is_taken_out_is_counted_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collect, "_FEW", 3)
    monkeypatch.setattr(collect, "PART", 10)
    played = random_games(5, 40)
    for name, part in (("a.pgn", played[:25]), ("b.pgn", played[25:])):
        (file := tmp_path / name).write_text("".join(map(write_pgn, part)), "utf-8")
    with Games(tmp_path / "base") as games, Games(tmp_path / "other") as other:
        games.add(tmp_path, file, tmp_path / "." / ".." / tmp_path.name / "b.pgn")
        games.remove(tmp_path / "a.pgn")
        assert other.add(file, file).files == 1 and len(games) == len(other) == 15
        for game in played:
            for position in map(game.position, range(len(game))):
                assert games.explore(position, 0) == other.explore(position, 0)


def test_what_cannot_be_read_is_named_and_the_rest_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.sgf").write_text("no game")
    (tmp_path / "go.sgf").write_text("(;GM[2]B[hh])")
    (tmp_path / "half.sgf").write_text("(;GM[4]B[hh];W[ii];B[hh])")
    (tmp_path / "link.sgf").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop.sgf").symlink_to("loop.sgf")
    (tmp_path / "empty.sgf").write_text("\n")
    (tmp_path / "sizes.sgf").write_text("(;GM[4]SZ[99]B[hh])(;GM[4]B[hh])")
    os.mkfifo(tmp_path / "pipe.sgf")
    (tmp_path / "timing.jsonl").write_text("{}")
    write_game(parse_game("h8 i9", rule="renju"), tmp_path / "cut.lib")
    (tmp_path / "cut.lib").write_bytes((tmp_path / "cut.lib").read_bytes()[:-1])
    base = f"--base={tmp_path / 'base'}"
    for count in (6, 3):  # what was read is known the second time
        assert run(["games", "add", base, str(tmp_path)]) == 1
        out, err = capsys.readouterr()
        assert f"{count} could not be read; 2 games in" in out and err.count("\n") == count
        for name, fault in (("bad", ""), ("empty", "is empty\n"), ("loop", "Too many levels")):
            assert f"{tmp_path / name}.sgf: {fault}" in err
        assert err.count(str(tmp_path)) == count
        assert count == 3 or f"{tmp_path / 'sizes.sgf'}: game 1: sgf: SZ[99] is no" in err
        assert count == 3 or f"{tmp_path / 'cut.lib'}: renlib: ends too early" in err
    changing = tmp_path / "changing.sgf"
    write_game(Game("h8"), changing)

    def read(name: str, most: int) -> bytes:
        data = files.read_file(name, most)
        if changing.stat().st_size < 1000:
            changing.write_bytes(data + b"\n" * 1000)
        return data

    monkeypatch.setattr(collect, "read_file", read)
    with Games(tmp_path / "base") as games:
        assert games.add(changing).faults == (
            f"{changing}: has changed while it was read; add it again",
        )
        assert len(games) == 2
        assert games.add(changing).games == 1
    assert run(["games", "add", base, str(tmp_path / "none.sgf")]) == 2
    assert capsys.readouterr().err.endswith("none.sgf: No such file or directory\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_file_whose_name_is_not_text_is_one_like_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (file := tmp_path / "z\udcff.sgf").write_text("(;GM[4]PB[Ann]B[hh]C[here])")
    base = f"--base={tmp_path / 'base'}"
    for text in ("1 game of 1 file added; 1", "0 games of 0 files added, 1 file known; 1"):
        assert run(["games", "add", base, str(tmp_path)]) == 0
        assert capsys.readouterr().out.startswith(text)
    with Games(tmp_path / "base") as games:
        for words in ("", "ann", "/Z", "\udcff.sgf"):
            [known] = games.find(words)
            assert known.path == str(file)
        assert "here" in sgf(games.game(known.id))
        file.write_text("no game")
        assert "/z\\udcff.sgf: " in games.add(file).faults[0]
        assert len(games) == 1
        games.remove(file)
        assert len(games) == 0


_READER = """
import sys
from tengen.study import collect
from tengen.study.games import Games
collect.PART, collect._MOST_WAITING = 20, 200
if __name__ == "__main__":
    with Games(sys.argv[1]) as games:
        print(games.add(*sys.argv[2:], jobs=1, on_progress=lambda added: print(added, flush=True)))
"""


@timed
def test_a_reader_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    tmp_path = Path(tempfile.mkdtemp(dir=tmp_path))  # another one when it is tried again
    played = random_games(2, 400)
    write_all(tmp_path / "games", played[:100])
    text = "".join(map(write_pgn, played[100:]))
    (tmp_path / "games" / "large.pgn").write_text(text, "utf-8")
    script = tmp_path / "reader.py"
    script.write_text(_READER)
    words = [sys.executable, str(script), str(tmp_path / "base"), str(tmp_path / "games")]
    draw, kills = random.Random(3), 0
    environment = {**os.environ, "PYTHONPATH": str(Path(collect.__file__).parents[2])}
    for wanted in (1, 2, 4, 8, 1000):
        with subprocess.Popen(words, stdout=subprocess.PIPE, env=environment) as reader:
            assert reader.stdout is not None
            lines = [line for line, _ in zip(reader.stdout, range(wanted), strict=False)]
            if reader.poll() is None and wanted < 1000:
                time.sleep(draw.random() / 50)
                reader.send_signal(signal.SIGKILL)
                kills += 1
            else:
                reader.stdout.read()
    assert lines and reader.returncode == 0
    if not kills:
        raise Late("all games were read before the first kill")
    with Games(tmp_path / "base") as games, Games(tmp_path / "other") as whole:
        assert whole.add(tmp_path / "games", jobs=1).games == len(whole) == len(games) == 400
        for game in played[::20]:
            for number in range(len(game)):
                position = game.position(number)
                assert counts(games, position) == counts(whole, position)
                assert games.explore(position, 0) == whole.explore(position, 0)


# -- bases that cannot be used


def test_a_base_that_cannot_be_used_is_refused_in_one_line_and_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = tmp_path / "base"
    with Games(base) as games:
        games.add(_file(tmp_path))
    good = base.read_bytes()

    def refused(data: bytes, reason: str) -> None:
        base.write_bytes(data)
        assert run(["games", "show", f"--base={base}"]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.count("\n") == 1 and f"{base}: {reason}" in err
        assert base.read_bytes() == data

    refused(b"something else" * 1000, "is no base of games of Tengen")
    refused(b"x", "is no base of games of Tengen")
    refused(good[:100] + os.urandom(len(good) - 100), "is damaged (")
    refused(good[: len(good) // 2], "is damaged (")
    newer = bytearray(good)
    for version, age in ((3, "a newer"), (1, "an older")):
        newer[60:64] = version.to_bytes(4, "big")  # sqlite's user_version
        refused(bytes(newer), f"is of {age} version of Tengen (base {version}, this one reads 2)")
    foreign = tmp_path / "foreign"
    with sqlite3.connect(foreign) as other:
        other.execute("CREATE TABLE things (x)")
    other.close()
    refused(foreign.read_bytes(), "is no base of games of Tengen")
    base.write_bytes(good)
    with Games(base) as games:
        assert len(games) == 1
    base.unlink()
    assert run(["games", "count", f"--base={base}"]) == 2 and not base.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="has no such folders")
def test_a_base_where_nothing_can_be_written_is_asked_and_not_made(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder, base = Path(name), Path(name, "base")
        with Games(base) as games:
            games.add(_file(folder))
        folder.chmod(0o555)
        stack.callback(folder.chmod, 0o700)
        if os.geteuid() == 0:  # who may write anywhere
            os.seteuid(65534)
            stack.callback(os.seteuid, 0)
        with Games(base) as games:
            assert games.explore(Position("h8")).count == len(games) == 1
            with pytest.raises(ValueError, match=f"^{base}: its folder cannot be written"):
                games.note(Position("h8"), 0.5)
        new = folder / "new"
        assert run(["games", "add", f"--base={new}", str(folder / "game.sgf")]) == 2
        assert f"{new}: its folder cannot be written" in capsys.readouterr().err


def test_a_base_that_another_program_writes_can_be_asked_and_says_so_when_it_cannot_be_written(
    tmp_path: Path,
) -> None:
    file = _file(tmp_path)
    with Games(tmp_path / "base") as games:
        games.add(file)
    with Games(tmp_path / "base") as games, Games(tmp_path / "base", patience_s=0.01) as other:
        games.db.execute("BEGIN IMMEDIATE")
        assert other.explore(Position("h8")).count == 1
        write_game(Game("a1"), file)
        with pytest.raises(ValueError, match="base: is in use by another program; try again"):
            other.add(file)
        games.db.execute("ROLLBACK")
        assert other.add(file).games == 1 and len(games) == 1


def _file(folder: Path) -> Path:
    write_game(parse_game("h8 i9"), folder / "game.sgf")
    return folder / "game.sgf"
