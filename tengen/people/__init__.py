"""A person at a board, in the terminal and in the browser."""
