"""SGF: what we write, as others read it; what others write, as we read it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from tengen.game.files.formats import parse_games
from tengen.game.files.sgf import read_sgf, write_sgf
from tengen.game.game import Game
from tengen.game.node import Node, escaped, unescaped
from tengen.game.referee import BLACK, RENJU, WHITE
from tests.game.sample_games import assert_refused, cells, read_saved_game
from tests.game.sample_games import game as sample

# ---- what we write


def test_points_are_two_letters() -> None:
    assert write_sgf(sample(size=(15, 20))) == (
        "(;FF[4]GM[4]CA[UTF-8]SZ[15:20]RU[freestyle]GN[1]PB[Tengen]PW[Simple]RE[B+]GC[five]\n"
        ";B[hh]C[opening]\n;W[ii]C[-12/3 12 ms]\n;B[ga]C[+M3 1500 ms]\n;W[oo]C[250 ms])\n"
    )


# ---- the main line


def test_letters_and_numbers_count_from_the_bottom() -> None:
    game = read_saved_game("(;GM[4]SZ[15];B[h8];W[a1];B[O15];W[i10])")
    assert game.stones == ((7, 7, BLACK), (0, 14, WHITE), (14, 0, BLACK), (8, 5, WHITE))
    assert (game.width, game.height) == (15, 15)


def test_set_up_stones() -> None:
    game = read_saved_game("(;SZ[9]AB[aa][bc:cd]AW[i1];AE[aa];W[ee])")
    assert game.setup == (
        (1, 2, BLACK), (2, 2, BLACK), (1, 3, BLACK), (2, 3, BLACK), (8, 8, WHITE)
    )  # fmt: skip
    assert game.stones == ((4, 4, WHITE),)


def test_the_main_line_is_that_of_the_first_branches() -> None:
    text = "(;SZ[15];B[hh](;W[ii]C[first (one; here\\]];B[jj])(;W[gg](;B[aa])))(;B[bb])"
    game = read_saved_game(text)
    assert cells(game) == ((7, 7), (8, 8), (9, 9)) and game.count == 2
    comments = [node.text("C") for node in game.root.main_line()]
    assert comments == [None, None, "first (one; here]", None]
    second = read_sgf(f"junk before {text} and after")[1].root
    assert [node.text("B") for node in second.main_line()] == [None, "bb"]


def test_escapes_and_long_names_of_properties() -> None:
    game = read_saved_game("(;GaMe[4]SiZe[15]PlayerBlack[A\\\nB\\]\\\\ ]PW\n[x\\:y];Black[hh])")
    assert (game.black, game.white) == ("AB]\\ ", "x:y")
    assert game.stones == ((7, 7, BLACK),)


def test_sizes() -> None:
    bare = read_saved_game("(;B[hh])")
    assert (bare.width, bare.height) == (15, 15)
    wide = read_saved_game("(;SZ[20:12];B[tl])")
    assert (wide.width, wide.height, cells(wide)) == (20, 12, ((19, 11),))
    assert cells(read_saved_game("(;SZ[20];B[tt])")) == ((19, 19),), "no pass"
    assert read_sgf("(;SZ[30];B[DA])")[0].root.children[0].stone == (29, 26, BLACK)
    go = read_saved_game("(;GM[1];B[ss])", rule=RENJU)
    assert (go.width, cells(go)) == (19, ((18, 18),))


# ---- several games


def test_a_file_of_games_has_them_all() -> None:
    text = "(;PB[a];B[hh])\n(;PB[b];B[aa];W[bb])(;PB[c](;B[cc])(;B[dd]))"
    found = [read_saved_game(text, number=number) for number in (1, 2, 3)]
    assert [(game.number, game.count, game.black, cells(game)) for game in found] == [
        (1, 3, "a", ((7, 7),)), (2, 3, "b", ((0, 0), (1, 1))), (3, 3, "c", ((2, 2),))
    ]  # fmt: skip
    assert_refused(
        lambda text: read_saved_game(text, number=4), text, "--game 4: there are 3 games"
    )


def test_a_cut_off_file_has_its_whole_games_and_the_beginning_of_the_last_one() -> None:
    text = "(;PB[a];B[hh])(;PB[b];B[aa];W[bb];B[c"
    assert cells(read_saved_game(text)) == ((7, 7),)
    last = read_saved_game(text, is_cut=True, number=2)
    assert cells(last) == ((0, 0), (1, 1)) and "cannot be read" in last.fault
    assert_refused(lambda text: read_saved_game(text, number=2), text, "cannot be read from")
    # Damage beyond the main line does not touch it.
    assert cells(read_saved_game("(;SZ[15];B[hh](;W[ii])(;W[")) == ((7, 7), (8, 8))


# ---- nodes that are not as the standard wants them


def test_several_moves_in_a_node_become_nodes_and_it_is_said() -> None:
    for text, notes in (
        ("(;SZ[15];B[hh]W[ig]B[gj];W[jj]C[four])", ("one node holds",)),
        ("(;B[hh]W[ig]SZ[15];B[gj]C[three]W[jj]C[four])", ("2 nodes hold",)),
        ("(;SZ[15];B[hh][gj]W[ig][jj]C[four])", ("one node holds",)),
        ("(;SZ[15]B[hh];W[ig];B[gj];W[jj]C[four])", ()),
        ("(;SZ[15];B[hh]B[hh];W[ig]W[ig];B[gj];W[jj]C[four])", ()),
    ):
        game = read_saved_game(text)
        colours = (1, 1, 2, 2) if "][gj]" in text else (1, 2, 1, 2)
        assert tuple(c for _, _, c in game.stones) == colours and len(set(cells(game))) == 4
        said = "several moves; they are played in the order they are written"
        assert game.notes == tuple(f"sgf: {note} {said}" for note in notes)
        assert [*game.root.main_line()][-1].text("C") == "four"
        again = read_saved_game(write_sgf(game))
        assert (again.stones, again.notes) == (game.stones, ()), "written as it was read"


def test_points_in_unknown_properties_before_the_first_move_are_named() -> None:
    game = read_saved_game("(;SZ[15]TR[aa]LANGUAGE[zh-cn]XY[no!];QX[hh][ii]ZZ[jj];B[kk]QY[aa])")
    assert cells(game) == ((10, 10),) and game.notes == (
        "sgf: QX[hh][ii] is not known; its points are not on the board",
        "sgf: ZZ[jj] is not known; its points are not on the board",
    )


@pytest.mark.parametrize(
    ("opening", "stones"),
    [
        ("QPR[hh,hg,jf];QSLW[ig]", ((7, 7, 1), (7, 6, 2), (9, 5, 1), (8, 6, 2))),
        ("QPR[hh][hg][jf];QSLB[]", ((7, 7, 1), (7, 6, 2), (9, 5, 1))),
    ],
)
def test_an_opening_in_the_properties_of_an_app(
    opening: str, stones: tuple[tuple[int, int, int], ...]
) -> None:
    game = read_saved_game(f"(;SZ[15];{opening};{'BW'[len(stones) % 2]}[aa])")
    assert game.stones == (*stones, (0, 0, 1 + len(stones) % 2)) and game.notes == ()
    assert "Q" not in write_sgf(game)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(;PB[Ann[3d]]PW[Bob];B[hh])", ("Ann[3d]", "Bob")),
        ("(;PB[Ann]]PW[[x] y]C[a] b];B[hh])", ("Ann]", "[x] y")),
        ("(;PB[a\\]b]c]PW[d];B[hh]C[so]so];W[ii])", ("a]b]c", "d")),
    ],
)
def test_a_bracket_that_is_not_escaped(text: str, names: tuple[str, str]) -> None:
    game = read_saved_game(text)
    assert (game.names, cells(game)[0], game.fault) == (names, (7, 7), "")


def test_a_game_in_a_letter() -> None:
    letter = "Hi (; no game)\n\n{}(;PB[a]\n{};B[hh])\n{}(;PB[b])\nbye"
    for mark in ("", "> ", ">> "):
        games = parse_games(letter.format(mark, mark, mark))
        assert [game.root.text("PB") for game in games] == ["a", "b"]
        assert [len([*game.root.main_line()]) for game in games] == [2, 1]


# ---- passes


@pytest.mark.parametrize("value", ["", " ", "tt", "TT", "pass"])
@pytest.mark.parametrize("rule", ["freestyle", "renju"])
def test_passes_at_the_end_are_nothing(value: str, rule: str) -> None:
    game = read_saved_game(f"(;SZ[15]RU[{rule}];B[hh];W[ih];B[{value}];W[{value}])")
    assert cells(game) == ((7, 7), (8, 7)) and game.line.passes == ()


def test_a_pass_within_a_renju_game() -> None:
    text = "(;SZ[15]{};B[hh];W[ih];B[];W[hg];B[tt];W[];B[jj])"
    game = read_saved_game(text.format("RU[renju]"))
    assert [stone[2] for stone in game.stones] == [BLACK, WHITE, WHITE, BLACK]
    assert game.line.passes == (2, 3, 3)
    assert read_saved_game(text.format(""), rule=RENJU).line.passes == (2, 3, 3)
    only_renju = "move 3 is a pass, which only renju has \\(--rule renju\\)"
    assert_refused(read_saved_game, text.format(""), only_renju)
    cut = read_saved_game(text.format("RU[standard]"), is_cut=True)
    assert cells(cut) == ((7, 7), (8, 7)) and "is a pass" in cut.fault


# ---- rules


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ("", 0), (" ", 0), ("0", 0), ("Freestyle", 0), ("Freestyle Gomoku", 0), ("gomoku", 0),
        ("Standard", 1), ("Swap2", 1), ("SWAP-2", 1), ("Gomoku Standard", 1),
        ("RIF", 4), ("rif", 4), ("Renju", 4), ("renju rules", 4), ("Soosyrv-8", 4),
        ("Soosõrv-7", 4), ("SOOSYRV", 4), ("Soosorv 8", 4), ("Taraguchi-10", 4),
        ("Taraguchi 10", 4), ("taraguchi", 4), ("Yamaguchi", 4), ("Tarannikov", 4),
        ("basicruleRENJUvcnruleNOVC", 4), ("basicruleFREESTYLE", 0), ("caro", 8),
    ],
)  # fmt: skip
def test_rules_as_files_say_them(said: str, rule: int) -> None:
    game = read_saved_game(f"(;SZ[15]RU[{said}];B[hh])")
    assert game.rule_number == rule and game.says_rule == bool(said.strip())


@pytest.mark.parametrize("said", ["Chinese", "japanese", "swapping", "projective", "12"])
def test_other_rules_need_the_users_word(said: str) -> None:
    text = f"(;SZ[15]RU[{said}];B[hh])"
    assert_refused(read_saved_game, text, "is not a known rule: name one with --rule")
    assert read_saved_game(write_sgf(read_saved_game(text, rule=1))).rule_number == 1


def test_go_is_read_where_the_rule_is_one_of_ours() -> None:
    assert read_saved_game("(;GM[1]SZ[15]RU[renju];B[hh])").rule_number == RENJU
    assert read_saved_game("(;GM[1]SZ[15];B[hh])", rule=1).rule_number == 1


# ---- trees

# Values as they stand between brackets: what is special is escaped.
_VALUES = st.text(st.characters(codec="utf-8"), max_size=8).map(escaped)
_PROPERTIES = st.dictionaries(
    st.sampled_from("C N MA LB AB AW AE KO XY TENGEN".split()),
    st.lists(_VALUES, min_size=1, max_size=3),
    max_size=4,
)
_MOVES = st.dictionaries(
    st.sampled_from("BW"), st.lists(_VALUES, min_size=1, max_size=1), max_size=1
)
_PLAYED = st.builds(dict.__or__, _PROPERTIES, _MOVES)
# A node as its properties and the nodes after it.
_Shape = tuple[dict[str, list[str]], list[Any]]
_BELOW: st.SearchStrategy[_Shape] = st.recursive(
    st.tuples(_PLAYED, st.just([])),
    lambda below: st.tuples(_PLAYED, st.lists(below, max_size=3)),
    max_leaves=12,
)
_NODES = st.tuples(_PROPERTIES, st.lists(_BELOW, max_size=3))


def _made(shape: _Shape) -> Game:
    game = Game.of("sgf", shape[0])

    def grow(node: Node, below: list[_Shape]) -> None:
        for properties, after in below:
            grow(node.append(properties), after)

    grow(game.root, shape[1])
    return game


def _flat(root: Node) -> Iterator[tuple[dict[str, list[str]], int]]:
    """The nodes in the order of the file, each with the number of those after it."""
    yield {name: list(values) for name, values in root.properties.items()}, len(root.children)
    for child in root.children:
        yield from _flat(child)


@given(_NODES)
def test_a_tree_is_read_as_it_was_written(shape: _Shape) -> None:
    game = _made(({"RU": ["0"], "RE": ["0"], **shape[0]}, shape[1]))
    text = write_sgf(game)
    (read,) = read_sgf(text)
    assert read.damage == "" and write_sgf(read) == text
    ours = {"FF": ["4"], "GM": ["4"], "CA": ["UTF-8"]}
    (first, count), *rest = _flat(game.root)
    assert list(_flat(read.root)) == [({**ours, **first, **ours}, count), *rest]
    # Another reader sees the same nodes.
    theirs = sgf_grammar.parse_sgf_game(text.encode())
    line = [
        {name: [value.encode() for value in values] for name, values in node.properties.items()}
        for node in read.root.main_line()
    ]
    assert list(sgf_grammar.main_sequence_iter(theirs)) == line
    assert list(_flat(game.copy().root)) == list(_flat(game.root))


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_an_escaped_text_is_that_text(text: str) -> None:
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert unescaped(escaped(text)) == lines
    (read,) = read_sgf(f"(;C[{escaped(text)}])")
    assert read.root.text("C") == lines


def test_a_line_becomes_the_main_line() -> None:
    (game,) = read_sgf(
        "(;SZ[15];C[before];B[hh](;W[ii]C[a];B[jj])(;W[i15]C[b](;B[aa])(;B[bb]C[c])))"
    )
    changed = game.copy()
    changed.lead([(7, 7, BLACK), (8, 0, WHITE), (1, 1, BLACK), (2, 2, WHITE)])
    assert changed.stones == ((7, 7, 1), (8, 0, 2), (1, 1, 1), (2, 2, 2))
    text = write_sgf(changed)
    assert text.count(";") == write_sgf(game).count(";") + 1, "nothing else was added"
    assert all(f"C[{comment}]" in text for comment in ("before", "a", "b", "c"))
    assert game.stones[1] == (8, 8, WHITE), "the game is as it was"


@pytest.mark.parametrize("depth", [10_000])
def test_deep_and_broad_trees(depth: int) -> None:
    """Neither as many brackets nor as many nodes in a row as a file can have are too many."""
    for text in (
        "(;" + "(;B[aa]" * depth + ")" * (depth + 1),
        "(;;B[aa]" + ";W[bb]" * depth + ")",
        "(;;B[aa]" + "(;W[bb])" * depth + ")",
        "(;SZ[15];B[aa]" + "(" * depth,
    ):
        (tree,) = read_sgf(text)
        assert write_sgf(tree.copy()).count(";") == text.count(";")


def test_a_file_with_too_many_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.game.files.sgf.MOST_NODES", 10)
    assert len(read_sgf("(;;)" * 5)) == 5
    too_many = "sgf: holds more than 10 nodes"
    assert read_sgf("(;" + "B[aa]W[bb]" * 10 + ")")[0].damage == too_many
    assert read_sgf("(;B[aa]" + ";" * 10 + ")")[0].damage == too_many


# ---- hostile and broken text


@pytest.mark.parametrize(
    ("damaged", "fault"),
    [
        ("(;GM[4];B[aa];W[bb]", "ends too early"),
        ("(;GM[4];B[aa];W[bb]C[a]b;c])", "cannot be read from"),
        ("(;GM[4];B[aa];W[bb]\0(;B[cc])(;B[dd]))", "cannot be read from"),
        ("(;\0GM[4];B[aa];W[bb])", "cannot be read from"),
        ("(;[a];B[aa])", "does not follow a property"),
    ],
)
def test_a_damaged_game_hides_no_other(damaged: str, fault: str) -> None:
    good = "(;GM[4]SZ[15];B[hh](;W[ii])(;W[jj]))"
    games = read_sgf("\n".join((good, damaged, good)))
    assert [fault in game.damage and bool(game.damage) for game in games] == [False, True, False]
    text = "\n".join((good, damaged, good))
    assert [len(cells(read_saved_game(text, number=n))) for n in (1, 3)] == [2, 2]
