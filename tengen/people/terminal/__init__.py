"""The board in the terminal: a person against a program, two people, or two programs to watch."""
