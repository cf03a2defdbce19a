"""The one place where the version stands: ABOUT, `--version` and the package all read it here."""

__version__ = "0.1.0"
