"""What the brain is told of the settings before a search: only what has changed since the last."""

from __future__ import annotations

from engine.model import MAX_STRENGTH, Position, Rule
from protocol.brain import Brain, HasStrength
from protocol.info import MAX_REMARKS, Settings
from protocol.pondering import Ponders
from protocol.stones import Stones


class Tuning:
    """The settings that the brain was last told."""

    def __init__(self) -> None:
        self._told: dict[str, object] = {
            "threads": 1,
            "strength": (MAX_STRENGTH, None),
            "pondering": False,
        }

    def tell(self, brain: Brain, settings: Settings) -> list[str]:
        """Tell the brain what has changed; texts for MESSAGE lines."""
        return [
            *self._tell_resources(brain, settings),
            *self._tell_strength(brain, settings),
            *self._tell_parameters(brain, settings),
            *self._tell_pondering(brain, settings),
        ]

    def _is_new(self, name: str, value: object) -> bool:
        """Note a value; False if it is the one that the brain was told last."""
        is_new = name not in self._told or self._told[name] != value
        self._told[name] = value
        return is_new

    def _tell_resources(self, brain: Brain, settings: Settings) -> list[str]:
        notices = []
        memory = (settings.memory_bytes, settings.hash_bytes)
        has_changed = self._is_new("memory", memory)
        if has_changed:
            notices.append(brain.set_memory(*memory))
        # What the memory allows may have changed as well.
        if self._is_new("threads", settings.threads) or (has_changed and settings.threads > 1):
            notices.append(brain.set_threads(settings.threads))
        return [text for text in notices if text is not None]

    def tell_rule(self, brain: Brain, stones: Stones, rule: Rule) -> list[str]:
        """Show it an empty board of that size, if the rule is another one: a brain makes the tables
        of a rule when it first sees one, which takes long on a busy machine."""
        if not self._is_new("rule", rule):
            return []
        try:
            notice = brain.set_position(Position(stones.width, stones.height, rule))
        except (MemoryError, ValueError):
            return []  # told when a move is asked for
        return [] if notice is None else [notice]

    def _tell_strength(self, brain: Brain, settings: Settings) -> list[str]:
        strength = (settings.strength, settings.seed)
        if not self._is_new("strength", strength):
            return []
        if isinstance(brain, HasStrength):
            brain.set_strength(*strength)
        elif strength[0] != MAX_STRENGTH:
            return ["INFO strength has no effect: this program has one strength"]
        return []

    def _tell_parameters(self, brain: Brain, settings: Settings) -> list[str]:
        wrong = []
        for name, value in settings.parameters.items():
            if self._is_new(f"param.{name}", value):
                try:
                    brain.set_parameter(name, value)
                except ValueError as problem:
                    wrong.append(f"INFO param.{name}: {problem}")
        if len(wrong) > MAX_REMARKS:
            more = f"{len(wrong) - MAX_REMARKS} more parameters cannot be set"
            return [*wrong[:MAX_REMARKS], more]
        return wrong

    def _tell_pondering(self, brain: Brain, settings: Settings) -> list[str]:
        is_new = self._is_new("pondering", settings.is_pondering)
        if not (is_new and settings.is_pondering) or isinstance(brain, Ponders):
            return []
        return ["INFO pondering has no effect: this program does not think in the opponent's time"]
