"""Programs against programs. Imports nothing of the engine but `files` and `text`."""
