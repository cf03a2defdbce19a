"""The options of other runners (cutechess, fastchess, c-gomoku-cli), and what is written here."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

# By the name without dashes. What begins with a dash is written instead; anything else is the
# reason why the option is left out. Options of the same name are not listed.
_OPTIONS = {
    "boardsize": "--size N",
    "concurrency": "--jobs N",
    "debug": "--transcripts",
    "drawafter": "--draw after=STONES",
    "epdout": "--out FOLDER",
    "event": "--tags event=TEXT",
    "fatalerror": "--fatal",
    "force-concurrency": "more games than cores may be played at once",
    "gauntlet": "--schedule gauntlet",
    "livepgnout": "--out FOLDER",
    "log": "--transcripts",
    "loseonly": "the games of both programs are kept",
    "maxmoves": "--draw after=STONES",
    "msg": "--out FOLDER",
    "noswap": "every opening is played with both colours",
    "output": "--json for the result as one document",
    "pgn": "--out FOLDER",
    "pgnout": "--out FOLDER",
    "ratinginterval": "--display lines every=N",
    "recover": "a program that fails is started again",
    "repeat": "every opening is played with both colours",
    "report": "the result has the pairs",
    "reverse": "every opening is played with both colours",
    "rounds": "--games N",
    "sample": "--out FOLDER, and afterwards `tengen report FOLDER --out positions.csv`",
    "scoreinterval": "--display lines every=N",
    "seeds": "--schedule gauntlet seeds=N",
    "sendbyboard": "--each board=on",
    "sgf": "--out FOLDER",
    "show-latency": "the report of a run has the times of all moves",
    "site": "--tags site=TEXT",
    "srand": "--seed N",
    "startup-ms": "--timeouts start=SECONDS",
    "tb": '--judge "tengen judge"',
    "tournament": "--schedule KIND",
    "transform": "openings are used in all symmetries of the board",
    "use-affinity": "--cores LIST",
    "variant": "--rule RULE",
    "wait": "games follow each other at once",
}


def advice(args: Sequence[str], known: Collection[str]) -> str:
    """What is to be written for the options of other runners among these arguments, in one line;
    empty if there are none. `known` are the options of the command, with their dashes."""
    said = []
    for arg in dict.fromkeys(args):
        found = re.fullmatch("(--?)([a-z][a-z-]+)", arg)
        if found is None or arg in known:
            continue
        name = found[2]
        if f"--{name}" in known:
            said.append(f"write --{name} for {arg}")
        elif (here := _OPTIONS.get(name, "")).startswith("-"):
            said.append(f"write {here} for {arg}")
        elif here:
            said.append(f"leave out {arg}: {here}")
        elif found[1] == "-":
            said.append(f"there is no option {arg}")
    return "; ".join(said)
