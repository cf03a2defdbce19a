"""Names of things that are no files, for every test of something that takes the name of a file."""

from __future__ import annotations

import os
import socket
from pathlib import Path

# By kind: what the error says.
NO_FILES = {"folder": "this is a folder, not a file", "device": "this is a device, not a file"}
if os.name != "nt":
    NO_FILES |= {
        "pipe": "this is a pipe, not a file",
        "socket": "this is a socket, not a file",
        "link to a pipe": "this is a pipe, not a file",
        "endless device": "this is a device, not a file",
    }


def make_no_file(folder: Path, kind: str) -> Path:
    """One of NO_FILES, in the folder if the kind allows it."""
    path = folder / "no-file"
    match kind:
        case "folder":
            path.mkdir()
        case "device":
            return Path(os.devnull)
        case "endless device":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case "link to a pipe":
            os.mkfifo(folder / "pipe")
            path.symlink_to("pipe")
        case "socket":
            here = os.getcwd()
            os.chdir(folder)  # the name of a socket has at most some 100 characters
            try:
                with socket.socket(socket.AF_UNIX) as server:
                    server.bind(path.name)
            finally:
                os.chdir(here)
        case _:
            raise ValueError(kind)
    return path
