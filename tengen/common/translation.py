"""Sentences in English that a page can show in other languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from tengen.game.values import Json

# What can stand in a sentence.
Word = str | int | float | Sequence[str]


class Sentence(str):
    """A sentence, with the `template` that it was made from and the `values` in it, which may be
    such sentences themselves."""

    template: str
    values: Mapping[str, Word]


def tr(template: str, **values: Word) -> Sentence:
    """The sentence with the values at the places of their names, such as {point}; a list is
    divided by commas. A language has its own form of each template, which must be a literal."""
    parts = {
        name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
        for name, value in values.items()
    }
    sentence = Sentence(template.format(**parts))
    sentence.template, sentence.values = template, values
    return sentence


def with_parts(content: Json) -> Json:
    """A value of JSON with each sentence in it as its parts, {"tr": template, "values": ...}."""
    if isinstance(content, Sentence):
        return {"tr": content.template, "values": with_parts(content.values)}
    if isinstance(content, Mapping):
        return {key: with_parts(value) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [with_parts(value) for value in content]
    return content


def parts_of(text: str, templates: Iterable[Sentence]) -> str:
    """A plain text as the sentence that one of the templates makes, its values too where they are
    such texts; the text itself if none does."""
    for known in templates:
        # A value has no colon, so that what stands before one is a part of its own.
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^:]+)", re.escape(known.template))
        pattern = pattern.replace("(?P<error>[^:]+)", "(?P<error>.+)")
        if match := re.fullmatch(pattern, text):
            values = {name: parts_of(value, templates) for name, value in match.groupdict().items()}
            sentence = Sentence(text)
            sentence.template, sentence.values = known.template, values
            return sentence
    return text


def sentence_of(error: Exception) -> str:
    """What an error says, with its parts where it has them."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


def listed(words: list[str]) -> Sentence | str:
    """At least one word, with `and` before the last of several."""
    *first, last = words
    return tr("{first} and {last}", first=first, last=last) if first else last
