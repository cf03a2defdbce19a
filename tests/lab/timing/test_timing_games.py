"""Own moves of both players, from files of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.model import Rule, Stone
from tengen.game.record.recorded import RecordedGame
from tengen.lab.timing.games import read_games, sides_of
from tests.lab.timing.conftest import LONG, moves_of


def test_moves_of_an_opening_are_no_own_moves(run: Path) -> None:
    [(name, game), _] = read_games([str(run)])
    black, white = sides_of(name, game)
    assert name == f"{run}, game 1"
    assert (black.colour, white.colour) == (Stone.BLACK, Stone.WHITE)
    # 63 stones, five of them from the opening: White's sixth stone is the first own move.
    assert [len(p.stones) for p in white.positions] == list(range(5, 63, 2))
    assert [len(p.stones) for p in black.positions] == list(range(6, 63, 2))
    for side in (black, white):
        for position in side.positions:
            assert position.side_to_move == side.colour
            placed = [[x, y] for x, y, _ in position.stones]
            assert placed == moves_of(LONG)[: len(placed)]


def test_the_rule_of_a_match_is_kept(run: Path) -> None:
    rules = [sides_of(*named)[0].positions[0].rule for named in read_games([str(run)])]
    assert rules == [Rule.FREESTYLE, Rule.CARO]


def test_a_file_of_a_match_is_read_like_its_folder(run: Path) -> None:
    from_file = read_games([str(run / "games.jsonl")])
    assert [game for _, game in from_file] == [game for _, game in read_games([str(run)])]


def test_psq_and_sgf(sgf: Path, tmp_path: Path) -> None:
    psq = tmp_path / "game.psq"
    psq.write_text("Piskvorky 15x15, 11:11, 0\n8,8,100\n9,9,50\n9,7,10\n-1\n", encoding="ascii")
    (_, drawn), (name, played) = read_games([str(sgf), str(psq)], rule=4)
    assert len(drawn.moves) == 10 and name == str(psq)
    black, white = sides_of(name, played)
    assert [len(p.stones) for p in black.positions] == [0, 2]
    assert [len(p.stones) for p in white.positions] == [1]
    assert black.positions[0].rule == Rule.RENJU


def game_of(*moves: tuple[int, int], **fields: object) -> RecordedGame:
    return RecordedGame("", "", 15, 15, 0, moves, **fields)  # type: ignore[arg-type]


def test_a_player_without_own_moves_is_left_out() -> None:
    [only] = sides_of("game", game_of((7, 7), (8, 8), opening_moves=1))
    assert only.colour == Stone.WHITE
    assert sides_of("game", game_of((7, 7), opening_moves=1)) == []


def test_stones_that_were_set_up_come_first() -> None:
    [side] = sides_of("game", game_of((7, 7), setup=((1, 1, 2), (2, 2, 1)), colours=(2,)))
    assert [stone[:2] for stone in side.positions[0].stones] == [(1, 1), (2, 2)]
    assert side.colour == Stone.WHITE


@pytest.mark.parametrize("moves", [((7, 7), (7, 7)), ((7, 7), (15, 3))])
def test_impossible_moves_are_an_error_with_the_name(moves: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match=r"^final\.psq: \S"):
        sides_of("final.psq", game_of(*moves))


def test_other_files_are_an_error_with_the_name(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("h8i9\n", encoding="ascii")
    with pytest.raises(ValueError, match=r"notes\.txt: expected the folder of a match"):
        read_games([str(other)])
    with pytest.raises(ValueError, match=r"holds no games\.jsonl"):
        read_games([str(tmp_path)])
