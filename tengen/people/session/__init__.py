"""A game without a screen: seats for people and programs, undo, hints, files. Front ends use it."""
