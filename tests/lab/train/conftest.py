"""What the tests of training share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.train.shards import games, write_games


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of which some openings are held out, as they should be of any larger number."""
    return write_games(tmp_path_factory.mktemp("shards"), 0, games(0, 40, 11))
