"""Puzzles made from games, judged by the referee and by the solver with other limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.api import Engine
from engine.model import Rule
from tengen import Game, Games, Position, write_game
from tengen.cli import run
from tengen.study.puzzles import (
    DEFENCE,
    FOURS,
    KINDS,
    THREES,
    Puzzle,
    Puzzles,
    is_only_win,
    judge,
    only_defence,
    puzzles_in,
    shipped,
)
from tengen.study.results import NO_WIN
from tengen.study.solver import VCF, VCT, Effort, check_answer, solve
from tests.engine.positions import BUSY

# Positions of games of the engine against itself, with the move that is right.
THREES_OF_GAME = (
    "i10 i14 l13 k13 m9 o11 n12 k12 k10 k14 k11 j12 l10 h10 l14 m10 i12 k9 g9 l11 j13 i9 g11 h11"
    " f10 h8 h9 g7 f6 e9 f7 g8 f8 f9 g6 e8 e7 h6 h13 j11 g5 h4 d6 c5 h5 d7 g10 f5 g13 g12 f13 i13"
    " c9 d8 e12 f11 d10 n9 o8 c6 b8 m8", "b5",
)  # fmt: skip
DEFENCE_OF_GAME = "h4 h5 j3 g6 j4 g4 j5 j6 i3", "f6"
PUZZLES = {THREES: THREES_OF_GAME, DEFENCE: DEFENCE_OF_GAME}


def puzzle_of(kind: str) -> Puzzle:
    text, move = PUZZLES[kind]
    game = Game(text)
    [puzzle] = [each for each in puzzles_in(Engine(), game, 7) if len(each.position) == len(game)]
    assert (puzzle.kind, puzzle.move, puzzle.game) == (kind, move, 7)
    return puzzle


def check(puzzle: Puzzle, nodes: int) -> None:
    """The referee's judgement, and the solver's with other limits."""
    brain, effort = Engine(), Effort(VCT, nodes=nodes)
    position = puzzle.position
    if puzzle.kind == DEFENCE:
        assert only_defence(brain, position, nodes=nodes) == puzzle.move
        for move in position.legal_moves():
            board = position.copy()
            board.play(move)
            answer = solve(brain, board, effort)
            if move == puzzle.move:
                assert answer.status == NO_WIN
            else:
                assert check_answer(board, answer).ok
        return
    answer = solve(brain, position, effort)
    assert check_answer(position, answer).ok and answer.line[0] == puzzle.move
    assert is_only_win(brain, position, puzzle.move, nodes)
    fours = solve(brain, position, Effort(VCF, nodes=nodes))
    assert (fours.is_win and check_answer(position, fours).ok) == (puzzle.kind == FOURS)


@pytest.mark.parametrize("kind", PUZZLES)
def test_one_move_is_right_and_no_other(kind: str) -> None:
    check(puzzle_of(kind), 400_000)


def test_a_win_is_played_out_against_the_best_defence() -> None:
    puzzle, brain = puzzle_of(THREES), Engine()
    position = puzzle.position.copy()
    other = next(move for move in position.legal_moves() if move != puzzle.move)
    assert not judge(brain, puzzle, position, other).is_right
    stones = 0
    while True:
        best = solve(brain, position, Effort(VCT, nodes=200_000)).line[0]
        verdict = judge(brain, puzzle, position, best)
        assert verdict.is_right
        position.play(best)
        stones += 1
        if verdict.reply is None:
            break
        position.play(verdict.reply)
    assert stones <= puzzle.moves
    # What is left loses to any defence.
    for reply in position.legal_moves()[::20]:
        board = position.copy()
        board.play(reply)
        assert solve(brain, board, Effort(VCT, nodes=200_000)).is_win


@pytest.mark.parametrize(("number", "moves"), [(0, "i15 k15"), (1, "f7 f9")])
def test_each_winning_move_is_right(number: int, moves: str) -> None:
    """Also where many other first moves take long."""
    position, empty = Position(BUSY[number], size=20), Position(size=20)
    puzzle = Puzzle(THREES, empty, empty.legal_moves()[0], 9)
    for move in position.legal_moves():
        if move not in moves.split():
            continue
        verdict = judge(Engine(), puzzle, position, move)
        assert verdict.is_right and verdict.reply is not None


def test_puzzles_come_with_the_program(tmp_path: Path) -> None:
    """The shortest ones are solved again; docs/STUDY.md has the check of all."""
    known = [*shipped()]
    assert {each.position.rule_number for each in known} == {rule.value for rule in Rule}
    assert len({(str(each.position), each.position.rule) for each in known}) == len(known) >= 60
    for puzzle in sorted(known, key=lambda each: each.plies)[:6]:
        if puzzle.kind != DEFENCE:
            answer = solve(Engine(), puzzle.position, Effort(VCT, nodes=100_000))
            assert check_answer(puzzle.position, answer).ok and answer.line[0] == puzzle.move
    with Games(tmp_path / "base") as games:
        puzzles = Puzzles(games)
        [first], [second] = puzzles.take_shipped(rule=4), puzzles.take_shipped(THREES, rule=1)
        assert first.position.rule == "renju" and second.position.rule == "standard"
        assert [*puzzles.all()] == [second, first] and puzzles.next() == first


def test_puzzles_are_made_once_and_their_tries_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [text for text, _ in PUZZLES.values()]
    turned = [str(point) for point in Position(lines[1]).symmetries()[3].moves]
    for number, line in enumerate((*lines, " ".join(turned))):
        game = Game(line)
        game.result = "black"
        write_game(game, tmp_path / f"{number}.sgf")
    base = f"--base={tmp_path / 'base'}"
    assert run(["games", "add", base, str(tmp_path)]) == 0
    with Games(tmp_path / "base") as games:
        puzzles, brain = Puzzles(games), Engine()
        made = puzzles.make(100, brain)
        assert {each.kind for each in made} <= KINDS.keys()
        assert sum(each.kind == DEFENCE for each in made) == 1  # its image is the same puzzle
        assert puzzles.make(100, brain) == []
        assert [*puzzles.all()][::-1] == made
        first = puzzles.next(DEFENCE)
        assert first is not None and first.move in ("f6", "j6", "f10", "j10")
        assert puzzles.next(DEFENCE, first.moves) == first
        assert puzzles.next(DEFENCE, first.moves + 1) is None
        puzzles.note(first, is_solved=True)
        assert puzzles.next(DEFENCE) is None and puzzles.score().streak == 1
        puzzles.note(first, is_solved=False)
        assert puzzles.next(is_missed=True) == first
        score = puzzles.score()
        assert (score.puzzles, score.solved, score.missed, score.streak) == (len(made), 0, 1, 0)
    capsys.readouterr()
    assert run(["games", "puzzles", base]) == 0
    (tmp_path / "puzzles.jsonl").write_text(capsys.readouterr().out)
    assert run(["solve", str(tmp_path / "puzzles.jsonl"), "--nodes", "100000"]) in (0, 1)
    assert "same first move  1 of 1" in capsys.readouterr().out  # a defence is none to solve
