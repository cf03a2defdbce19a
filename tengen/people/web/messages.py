"""Messages to a page: JSON objects with a `kind`.

players, state, clock          who can be chosen, and how the game stands (view.py)
tree, nodes, remarks           its lines; those that are new; what is written here (tree.py)
thinking, analysis, hint       what programs find
work, review, proof, tried     work that takes long: its progress, and what came out of it
threats, cell_values, games, runs    answers to the page that asked
note, error                    a text for people, and why a request was not carried out
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NewType

from tengen.common.translation import with_parts
from tengen.game.json_text import Record, json_text

# What a page is told: made by `message` alone.
Message = NewType("Message", str)
# Sends a message to one page; must not raise.
Send = Callable[[Message], None]
# Parts of messages that can be long and have no sentences.
_BARE = ("nodes", "cells", "ahead", "policy", "line")


def message(kind: str, content: Record) -> Message:
    """A message, where each sentence is told by its parts."""
    told = {key: value if key in _BARE else with_parts(value) for key, value in content.items()}
    return Message(json_text({"kind": kind, **told}, is_compact=True))
