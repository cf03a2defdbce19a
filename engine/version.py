"""The facts about this program that ABOUT, `--version` and the package metadata share.

Owners of a copy fill in COUNTRY, WWW and EMAIL here; what is left empty is not mentioned, and a
release without a contact is refused (release/notes.py).
"""

__version__ = "0.1.0"

AUTHOR = "the Tengen authors"
COUNTRY = ""
WWW = ""
EMAIL = ""
