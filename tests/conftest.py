"""Settings shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# The same examples on every run and no deadline per example: a test must not fail because the
# machine is busy, and a failure must be there again when it is looked at.
settings.register_profile("tengen", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("tengen")
