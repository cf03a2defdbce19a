"""Types of the compiled module engine/net.pyx."""

import os

from engine.network import Network

class LoadedNet:
    rule: int
    version: int
    name: str
    crc: int
    def __new__(cls, loaded: Network, crc: int = 0) -> LoadedNet: ...

class NetFiles:
    path: str | None
    def __init__(self, path: str | None = None) -> None: ...
    def find(self, rule: int) -> tuple[LoadedNet | None, str | None]: ...
    def check(self) -> None: ...
    def give_up(self, rule: int) -> str | None: ...

def load_net(path: str | os.PathLike[str], rule: int) -> LoadedNet: ...
