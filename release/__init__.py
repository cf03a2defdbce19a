"""Builds what is handed to users: the Windows program and its zip, the Linux archive."""
