"""INFO keys -> limits and options, with units.

INFO is never answered. What cannot be used is kept as a problem, under its key, until either a
good value for the same key arrives or the problems are told with the next answer; the setting
itself stays as it was.
"""

from __future__ import annotations

from engine.model import Limits, Rule
from protocol.coords import parse_integer
from protocol.messages import quote
from protocol.preferences import MAX_THREADS, NO_PREFERENCES, Preferences

# Managers write "no limit" as the largest 32-bit number.
NO_LIMIT = 2147483647
# Yixin-Board has no word for "no limit" either and sends these two together.
YIXIN_TURN_MS = 2_000_000
YIXIN_MATCH_MS = 100_000_000

# `INFO rule` is a sum of bits. Bit 2, the continuous game, changes what a manager does after a
# five and nothing for us: it is taken off before the look-up.
CONTINUOUS = 2
RULES = {int(rule): rule for rule in Rule}

_LIMIT_KEYS = ("timeout_turn", "timeout_match", "time_left", "max_node", "max_depth")
_NUMBER_KEYS = (*_LIMIT_KEYS, "max_memory", "hash_size", "thread_num", "game_type", "rule")
_PARAMETER = "param."


class Settings:
    """All that INFO lines have said in this session, on top of what the user prefers.

    START and RESTART leave it alone.

    memory_bytes  limit for the whole process; None = not sent, or 0 = no limit.
    hash_bytes    wanted size of the hash table; None = whatever the memory allows.
    game_type     0 human, 1 engine, 2 tournament, 3 network tournament; None = not sent.
    folder        where lasting files may be kept; None = not sent, none may.
    parameters    numbers of the search sent as `INFO param.NAME N`, by name; tuning sends them.
    """

    def __init__(self, preferences: Preferences = NO_PREFERENCES) -> None:
        self.memory_bytes: int | None = None
        self.hash_bytes = preferences.hash_bytes
        self.game_type: int | None = None
        self.folder: str | None = None
        self.parameters: dict[str, int] = {}
        self._is_yixin = False
        self._rule_sum = 0
        self._threads = preferences.threads or 1
        # As sent, in milliseconds, nodes and plies.
        self._limits: dict[str, int] = {}
        self._problems: dict[str, str] = {}

    def apply(self, key: str, value: str) -> None:
        """Take one `INFO key value`; `key` in lower case. Unknown keys mean nothing to us."""
        if key == "folder":
            self.folder = value or None
        elif key == "show_detail":
            self.note_yixin()
        elif key in _NUMBER_KEYS or key.startswith(_PARAMETER):
            word = value.split(maxsplit=1)[0] if value else ""
            number = parse_integer(word)
            problem = (
                f"needs a whole number, {quote(word)} is none"
                if number is None
                else self._set_number(key, number)
            )
            self._problems.pop(key, None)
            if problem is not None:
                self._problems[key] = f"INFO {key} {problem}"

    def note_yixin(self) -> None:
        """The manager speaks the Yixin dialect: from now on its rule 2 means renju."""
        self._is_yixin = True

    def take_problems(self) -> str | None:
        """What could not be used since the last call, as one text; None when all was well."""
        if not self._problems:
            return None
        text = "; ".join(self._problems.values())
        self._problems.clear()
        return text

    @property
    def rule(self) -> Rule:
        """The rule in force."""
        if self._is_yixin and self._rule_sum == CONTINUOUS:
            return Rule.RENJU
        return RULES[self._rule_sum & ~CONTINUOUS]

    @property
    def wants_move_now(self) -> bool:
        """True after `INFO timeout_turn 0`, which also ends a search that is running."""
        return self._limits.get("timeout_turn") == 0

    def limits(self, started_ns: int) -> Limits:
        """The limits for a move whose clock started at `started_ns` (`time.monotonic_ns()`)."""
        turn_ms = self._limits.get("timeout_turn")
        match_ms = self._limits.get("timeout_match")
        left_ms = self._limits.get("time_left")
        nodes = _positive(self._limits.get("max_node"))
        depth_plies = _positive(self._limits.get("max_depth"))
        if turn_ms == YIXIN_TURN_MS and match_ms == YIXIN_MATCH_MS:
            # Until stopped, that is; the half hour stands in for it, as no limits at all would
            # make the brain fall back on a few seconds.
            turn_ms = None if nodes or depth_plies else turn_ms
            match_ms = left_ms = None
        if left_ms is not None and left_ms >= NO_LIMIT:
            match_ms = left_ms = None
        if turn_ms is not None and (turn_ms < 0 or turn_ms >= NO_LIMIT):
            turn_ms = None
        match_ms = _positive(match_ms)
        if match_ms is not None and match_ms >= NO_LIMIT:
            match_ms = None
        return Limits(
            turn_ms=turn_ms,
            match_ms=match_ms,
            left_ms=left_ms,
            nodes=nodes,
            depth_plies=depth_plies,
            started_ns=started_ns,
            threads=self._threads,
        )

    def _set_number(self, key: str, number: int) -> str | None:
        """Store a number; returns what is wrong with it, if anything."""
        if key in _LIMIT_KEYS:
            self._limits[key] = number
        elif key == "rule":
            return self._set_rule(number)
        elif key == "max_memory":
            return self._set_memory(number)
        elif key == "hash_size":
            self.hash_bytes = number * 1024 if number > 0 else None
        elif key == "thread_num":
            self._threads = min(max(number, 1), MAX_THREADS)
        elif key == "game_type":
            self.game_type = number
        else:
            self.parameters[key.removeprefix(_PARAMETER)] = number
        return None

    def _set_rule(self, number: int) -> str | None:
        if number < 0 or number & ~CONTINUOUS not in RULES:
            return (
                f"{number} does not exist: 0 freestyle, 1 standard, 4 renju, 8 and 9 caro are"
                " known, each with 2 added for a continuous game"
            )
        self._rule_sum = number
        return None

    def _set_memory(self, number: int) -> str | None:
        if number < 0:
            return f"{number} makes no sense: a number of bytes is needed, 0 for no limit"
        self.memory_bytes = number or None
        return None


def _positive(number: int | None) -> int | None:
    """The number if it limits anything: managers send 0 or -1 for none."""
    return number if number is not None and number > 0 else None
