"""Sentences in English that a page can show in other languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


def sentence_of(error: Exception) -> str:
    """What an error says, with its parts where it has them."""
    first = error.args[0] if error.args else None
    return first if isinstance(first, Sentence) else str(error)


def listed(words: list[str]) -> Sentence | str:
    """At least one word, with `and` before the last of several."""
    *first, last = words
    return tr("{first} and {last}", first=first, last=last) if first else last
