"""The figures of a report, compared with figures worked out by hand; the command, and the page that
follows a run."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tengen.arena.report.cli import report_command
from tengen.arena.report.data import load_match, report_data
from tengen.arena.report.live import LivePage, live_server
from tengen.arena.report.page import embedded_json, make_page
from tengen.arena.stats.elo import elo_estimate
from tengen.arena.stats.pentanomial import Pentanomial
from tengen.arena.stats.ratings import rate
from tengen.arena.stats.sprt import Model, Sprt
from tengen.common.server import ADDRESS
from tests.arena.report.report_sample import BLACK_WINS, eight_games, game, header, write_run
from tests.processes import PATIENCE_S


def data_of(folder: Path) -> dict[str, Any]:
    return report_data(*load_match(folder))


@pytest.fixture
def three(tmp_path: Path) -> dict[str, Any]:
    """Eight games of three programs."""
    details = {4: "ended with status 3", 7: "1.2 s for a move"}
    return data_of(write_run(tmp_path, header("A", "B", "C"), eight_games(), details))


def test_ratings_are_those_of_the_pairs(three: dict[str, Any]) -> None:
    expected = rate(
        {
            ("A", "B"): Pentanomial(ld=1, ww=1),
            ("A", "C"): Pentanomial(split=1),
            ("B", "C"): Pentanomial(ww=1),
        }
    )
    assert [(r["name"], r["elo"], r["low"], r["high"]) for r in three["ratings"]] == [
        (r.name, r.elo, r.low, r.high) for r in expected
    ]
    by_name = {r["name"]: (r["w"], r["l"], r["d"], r["points"]) for r in three["ratings"]}
    assert by_name == {"A": (3, 2, 1, 3.5), "B": (3, 2, 1, 3.5), "C": (1, 3, 0, 1)}
    assert three["head_to_head"] is None and three["sprt"] is None


def test_the_cross_table(three: dict[str, Any]) -> None:
    names = [program["name"] for program in three["programs"]]
    a, b, c = map(names.index, "ABC")
    cross = three["cross"]
    assert cross[a][b] == {"w": 2, "l": 1, "d": 1, "points": 2.5}
    assert cross[b][a] == {"w": 1, "l": 2, "d": 1, "points": 1.5}
    assert cross[a][c] == {"w": 1, "l": 1, "d": 0, "points": 1}
    assert cross[b][c] == {"w": 2, "l": 0, "d": 0, "points": 2}
    assert cross[a][a] is None


def test_how_games_ended(three: dict[str, Any]) -> None:
    names = [program["name"] for program in three["programs"]]
    rows = [
        (row["word"], row["failure"], row["games"], [row["lost"][names.index(n)] for n in "ABC"])
        for row in three["endings"]
    ]
    assert rows == [
        ("five", False, 5, [2, 2, 1]),
        ("full board", False, 1, [0, 0, 0]),
        ("timeout", True, 1, [0, 0, 1]),
        ("crash", True, 1, [0, 0, 1]),
    ]
    assert [row["draws"] for row in three["endings"]] == [0, 1, 0, 0]
    loser = names.index("C")
    assert three["failures"] == [
        {"game": 5, "loser": loser, "why": "crash: ended with status 3"},
        {"game": 8, "loser": loser, "why": "timeout: 1.2 s for a move"},
    ]


def test_the_first_player(three: dict[str, Any]) -> None:
    colour = three["colour"]
    assert colour["black"] == {"w": 4, "l": 3, "d": 1, "points": 4.5}
    assert colour["score"] == 4.5 / 8
    # Black's points in the four pairs: 1, 0.5, 2, 1.
    assert colour["elo"] == str(elo_estimate(Pentanomial(ld=1, split=2, ww=1)))
    names = [program["name"] for program in three["programs"]]
    own = colour["programs"][names.index("A")]
    assert own["black"] == {"w": 2, "l": 1, "d": 0, "points": 2}
    assert own["white"] == {"w": 1, "l": 1, "d": 1, "points": 1.5}
    assert three["pairs"] == {"one_program": 2, "one_colour": 1, "drawn": 1, "incomplete": 0}


def test_lengths(three: dict[str, Any]) -> None:
    assert three["lengths"] == {
        "shortest": 4,
        "longest": 10,
        "mean": 7.8,
        "median": 9,
        "from": 4,
        "width": 1,
        "bars": [
            [0, 1, 0], [1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [3, 0, 0], [0, 0, 2],
        ],
    }  # fmt: skip


def test_time_nodes_and_depth(tmp_path: Path) -> None:
    reports = [None, *({"depth_plies": i, "nodes": 100 * i, "value": -i} for i in range(1, 9))]
    games = [game(0, "A", "B", "black", reports=reports)]
    data = data_of(write_run(tmp_path, header("A", "B"), games))
    names = [program["name"] for program in data["programs"]]
    # Stones 2, 4, 6, 8 are White's and took 0.1, 0.3, 0.5, 0.7 s; stone 1 is the opening.
    white = data["usage"]["programs"][names.index("B")]
    assert white["moves"] == 4
    time = {key: pytest.approx(value) for key, value in white["time"].items()}
    assert time == {
        "total": 1.6, "mean": 0.4, "median": 0.4, "p95": 0.7, "max": 0.7, "game": 1, "move": 8
    }  # fmt: skip
    assert (white["nodes"]["mean"], white["nodes"]["max"]) == (400, 700)
    assert (white["depth"]["mean"], white["depth"]["max"]) == (4, 7)
    assert white["nodes_per_s"] == 1000
    assert white["depth_by_stone"] == [4]
    # Five bars to a power of ten: 0.1, 0.158, 0.251, 0.398, 0.631, 1 s.
    assert data["usage"]["edges_s"] == pytest.approx([10 ** (k / 5 - 1) for k in range(6)])
    assert white["histogram"] == [1, 0, 1, 1, 1]
    # 75 of 100 values of White (1, 3, 5, 7) are at most 5.
    assert data["scales"][names.index("B")] == 5


def test_two_programs_and_their_test(tmp_path: Path) -> None:
    games = [game(i, "AB"[i % 2], "BA"[i % 2], "black") for i in range(6)]
    games.append(game(6, "A", "B", "black"))
    games.append(game(7, "B", "A", "white"))
    test = Sprt(0, 20, 0.05, 0.1, Model.NORMALIZED)
    data = data_of(write_run(tmp_path, header("A", "B", sprt=test), games))
    pairs = Pentanomial(split=3, ww=1)
    estimate = elo_estimate(pairs)
    duel = data["head_to_head"]
    assert (duel["first"], duel["pairs"], duel["pentanomial"]) == ("A", 4, [0, 0, 3, 0, 1])
    # The same words as in the terminal, and no second Elo on the page.
    assert (duel["text"], duel["is_known"]) == (str(estimate), estimate.is_known)
    assert {rating["elo"] for rating in data["ratings"]} == {None}
    figures = [data["sprt"][key] for key in ("llr", "lower", "upper")]
    assert figures == pytest.approx([test.llr(pairs), test.lower, test.upper], abs=1e-4)
    assert data["sprt"]["verdict"] == "undecided"
    assert [number for number, _ in data["sprt"]["course"]] == [1, 2, 3, 4]
    assert data["sprt"]["course"][-1][1] == pytest.approx(test.llr(pairs), abs=1e-4)
    assert data["title"] == "A – B"


def pairing(index: int, first: str, second: str) -> tuple[str, str]:
    """Black and White of a game: colours are exchanged in the second game of a pair."""
    return (second, first) if index % 2 else (first, second)


def test_programs_that_only_failed_have_no_elo_but_a_reason(tmp_path: Path) -> None:
    games = [game(i, *pairing(i, "A", "B"), "black", "CRASH") for i in range(2)]
    games += [game(i, *pairing(i, "A", "C"), "black") for i in range(2, 4)]
    games += [game(i, *pairing(i, "B", "C"), "white", "STALL") for i in range(4, 6)]
    # Its opponents failed in some of them, but all games of B ended by a failure.
    details = {0: "went away"}
    three = data_of(write_run(tmp_path / "3", header("A", "B", "C"), games, details))
    reason = dict(three["conditions"])["No rating of B"]
    assert reason.startswith("all games (4) ended by a failure: B lost 2 of them, the first by cr")
    by_name = {rating["name"]: rating["elo"] for rating in three["ratings"]}
    assert by_name["B"] is None and by_name["A"] == by_name["C"] == 0
    always = [game(i, *pairing(i, "A", "B"), ("black", "white")[i], "CRASH", []) for i in (0, 1)]
    two = data_of(write_run(tmp_path / "2", header("A", "B"), always, {0: "went away"}))
    assert two["head_to_head"] is None and two["colour"]["elo"] is None
    assert {rating["elo"] for rating in two["ratings"]} == {None}
    assert dict(two["conditions"])["No Elo"] == (
        "all games (2) ended by a failure: B lost 2 of them, the first by crash: went away"
    )
    assert "Infinity" not in embedded_json(two)


def test_games_are_short_but_whole(three: dict[str, Any], tmp_path: Path) -> None:
    first = three["games"][0]
    assert (first["g"], first["r"], first["t"], first["o"], first["p"]) == (1, "b", "FIVE", 1, 1)
    assert first["m"] == "".join(chr(97 + x) + chr(97 + y) for x, y in BLACK_WINS)
    assert first["l"] == "dhehfhghhh"
    assert first["e"].split(",")[:4] == ["", "100", "200", "300"]
    assert "v" not in first and "x" not in first
    assert (three["games"][4]["x"], three["games"][4].get("l")) == ("ended with status 3", None)
    reports = [None, {"value": 0, "depth_plies": 2}, {"mate_plies": -4}, {"mate_plies": 5}]
    games = [game(0, "A", "B", None, "FULL", BLACK_WINS[:4], reports=reports), *eight_games()[1:]]
    record = data_of(write_run(tmp_path / "2", header("A", "B", "C"), games))["games"][0]
    assert (record["v"], record["d"]) == (",0,-M4,M5", ",2,,")


def test_games_that_are_equal_to_an_earlier_one_are_counted(tmp_path: Path) -> None:
    """The first four of these have the same moves twice; so have the others, which failed."""
    ends = [("FIVE", "black"), ("FIVE", "white"), ("CRASH", "white")]
    games = [game(2 * i + j, "A", "B", w, end) for i, (end, w) in enumerate(ends) for j in (0, 1)]
    data = data_of(write_run(tmp_path, header("A", "B"), games))
    conditions = dict(map(tuple, data["conditions"]))
    assert conditions["Equal games"].startswith("2 of 4 games are equal to an earlier one")


def test_a_run_without_games(tmp_path: Path) -> None:
    data = data_of(write_run(tmp_path, header("A", "B"), []))
    assert data["games"] == [] and data["lengths"] is None and data["colour"]["score"] is None
    assert "<html" in make_page(data)


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        (None, "holds no games.jsonl"),
        ("", "it is empty"),
        ('{"format":1}\n', "format 1 is not 2"),
        ('{"format":2}\n', "not the plan of a run: 'sprt'"),
        ("no json\n", "line 1: is not a record"),
    ],
)
def test_a_run_that_cannot_be_read_is_one_line(
    tmp_path: Path, lines: str | None, wrong: str
) -> None:
    if lines is not None:
        (tmp_path / "games.jsonl").write_text(lines, encoding="ascii")
    result = CliRunner().invoke(report_command, [str(tmp_path)])
    assert result.exit_code == 2
    assert wrong in result.output.replace("\n", " ")


def test_the_command_writes_the_page(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", header("A", "B", "C"), eight_games())
    result = CliRunner().invoke(report_command, [str(run)])
    assert (result.exit_code, result.output) == (0, f"8 games in {run / 'report.html'}\n")
    other = tmp_path / "other.html"
    assert CliRunner().invoke(report_command, [str(run), "--out", str(other)]).exit_code == 0
    assert other.read_bytes() == (run / "report.html").read_bytes()
    missing = CliRunner().invoke(report_command, [str(run), "--out", str(tmp_path / "no" / "x")])
    assert missing.exit_code == 2 and "No such file or directory" in missing.output


NASTY = ("</script><script>bad()</script>", "<b>bold</b> & {{data}} <!--", "C")


def test_the_page_holds_its_data_and_nothing_from_outside(tmp_path: Path) -> None:
    games = eight_games(*NASTY)
    data = data_of(write_run(tmp_path, header(*NASTY), games, {4: "</script> ]]>"}))
    page = make_page(data)
    assert page.count("<script") == page.count("</script>") == 2
    rest = re.sub(r"<script.*?</script>", "", page, flags=re.S)
    assert "<b>" not in page and "{{" not in rest
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    assert found is not None
    assert json.loads(found[1]) == json.loads(json.dumps(data))
    # Nothing is fetched: the one address is the name of SVG.
    assert set(re.findall(r"https?://[^\s\"'`)]+", page)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"\b(src|srcset)=|@import|url\((?!#)", page)
    two = data_of(write_run(tmp_path / "2", header(*NASTY[:2]), games[:4]))
    assert "<title>&lt;/script&gt;&lt;script&gt;bad()" in make_page(two)


# -- the page of a run that goes on


def _run(folder: Path, games: int) -> Path:
    return write_run(folder, header("A", "B"), [game(i, "A", "B", "black") for i in range(games)])


def test_the_page_follows_the_games(tmp_path: Path) -> None:
    live = LivePage(_run(tmp_path / "run", 0))
    first = live.text()
    assert "location.reload" in first and live.text() is first
    _run(tmp_path / "run", 3)
    assert live.text() != first and f'known = "{live.version()}"' in live.text()


def test_the_page_stays_while_the_games_cannot_be_read(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 2)
    live = LivePage(folder)
    page, version = live.text(), live.version()
    folder.rename(tmp_path / "away")
    assert (live.text(), live.version()) == (page, version)
    (tmp_path / "away").rename(folder)
    games = (folder / "games.jsonl").read_text()
    (folder / "games.jsonl").write_text(games[:20])
    assert live.text() == page
    (folder / "games.jsonl").write_text(games)
    _run(folder, 3)
    assert live.text() != page
    with pytest.raises(ValueError, match="nothing: No such file"):
        live_server(tmp_path / "nothing")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
def test_it_is_served_without_a_standard_input(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tengen", "report", str(_run(tmp_path / "run", 1)), "--live"]
    command = ["sh", "-c", 'exec "$@" <&-', "sh", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as page:
        assert page.stdout is not None
        said = page.stdout.readline()
        page.terminate()
    assert said.startswith("The report is at ")


def test_only_who_has_the_token_sees_it(tmp_path: Path) -> None:
    async def ask() -> None:
        folder = _run(tmp_path / "run", 2)
        server, size = live_server(folder), (folder / "games.jsonl").stat().st_size

        def get(path: str, **headers: str) -> tuple[int, str]:
            connection = http.client.HTTPConnection(ADDRESS, server.port, timeout=PATIENCE_S)
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            status, text = answer.status, answer.read().decode()
            connection.close()
            return status, text

        cookie = {"Cookie": f"{server.cookie}={server.token}"}
        for path, part in (("/", "Tengen match report"), ("/version", str(size))):
            assert (await asyncio.to_thread(get, path))[0] == 403
            status, text = await asyncio.to_thread(partial(get, path, **cookie))
            assert status == 200 and part in text
        assert (await asyncio.to_thread(partial(get, "/games.jsonl", **cookie)))[0] == 404
        server.close()

    asyncio.run(ask())


def test_the_page_ends_with_its_input(tmp_path: Path) -> None:
    folder = _run(tmp_path / "run", 1)
    command = [sys.executable, "-m", "tengen", "report", str(folder), "--live"]
    read_end, write_end = os.pipe()
    with subprocess.Popen(command, stdin=read_end, stdout=subprocess.PIPE, text=True) as page:
        os.close(read_end)
        assert page.stdout is not None
        assert page.stdout.readline().startswith("The report is at http://127.0.0.1:")
        assert page.poll() is None
        os.close(write_end)
        assert page.wait(PATIENCE_S) == 0
