"""Coverage-guided fuzzing of all code between the manager's bytes and the brain, by atheris.

    python -m tests.endurance.parser_fuzz -runs=1000000 -seed=1

Inputs are bytes that a manager could send. Those that reach branches of `protocol/` that no
earlier one reached are kept and changed further; the first ones are from `tests/conversations/`.
The oracle judges the answers to every input. The brain is one that does not search. The options
are libFuzzer's. A wrong input is written to a file crash-..., whose name, as the only argument,
tries it again.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

# What is imported here reports the branches that it takes.
with atheris.instrument_imports(include=["protocol"]):
    import protocol.session  # noqa: F401

from tests.endurance.test_parser_fuzz import MOST_BYTES, dictionary, first_inputs, judge


def main() -> None:
    """Fuzz until libFuzzer ends the process, with status 0 if nothing was found."""
    with tempfile.TemporaryDirectory(prefix="tengen-fuzz-") as name:
        folder = Path(name)
        corpus = folder / "corpus"
        corpus.mkdir()
        for number, data in enumerate(first_inputs()):
            (corpus / str(number)).write_bytes(data)
        words = folder / "words"
        words.write_text(dictionary(), encoding="ascii")
        options = [f"-dict={words}", f"-max_len={MOST_BYTES}", "-timeout=20"]
        inputs = [] if any(not arg.startswith("-") for arg in sys.argv[1:]) else [str(corpus)]
        atheris.Setup([sys.argv[0], *options, *sys.argv[1:], *inputs], judge)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
