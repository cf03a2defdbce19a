"""The page of a run that is still being played: served, and shown anew when games have ended."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tengen.arena.report.data import load_match, report_data
from tengen.arena.report.page import make_page
from tengen.common.server import Guarded, LocalServer, Start
from tengen.game.files.jsonl import GAMES, find_run

# Looks every two seconds whether games have ended; the address names game and move, so that the
# page comes back as it was.
_LOOK_AGAIN = """<script>
(() => {
  const known = "%s";
  setInterval(async () => {
    try {
      const version = await (await fetch("version")).text();
      if (version !== known) location.reload();
    } catch { /* the run has ended, and the page stays */ }
  }, 2000);
})();
</script>
"""


class LivePage:
    """The page of a folder, made anew when its games have changed. While they cannot be read, the
    page stays as it was."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._made: tuple[str, str] = ("", "")

    def version(self) -> str:
        """Changes with each game that ends."""
        try:
            return str((self._folder / GAMES).stat().st_size)
        except OSError:
            return self._made[0]

    def text(self) -> str:
        """The page. ValueError, in one line, if there was no run yet."""
        version, made = self.version(), self._made
        if not made[1] or version != made[0]:
            try:
                page = make_page(report_data(*load_match(self._folder)))
            except ValueError:
                if not made[1]:
                    raise
            else:
                script = _LOOK_AGAIN % version
                self._made = version, page.replace("</body>", f"{script}</body>")
        return self._made[1]


class _Page(Start):
    # Everything is in the page itself.
    policy = (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
        " connect-src 'self'; img-src data:"
    )

    def get(self) -> None:
        live: LivePage = self.settings["live"]
        kind = "html"
        try:
            text = live.text()
        except ValueError as error:
            self.set_status(503)
            text, kind = f"{error}\n", "plain"
        self.set_header("Content-Type", f"text/{kind}; charset=utf-8")
        self.finish(text)


class _Version(Guarded):
    def get(self) -> None:
        live: LivePage = self.settings["live"]
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(live.version())


def live_server(folder: Path, port: int = 0, **more: Any) -> LocalServer:
    """Serves the page of a run. ValueError, in one line, if there is no run in the folder, or the
    port is taken."""
    live = LivePage(find_run(folder))
    live.text()
    return LocalServer([(r"/", _Page), (r"/version", _Version)], port, live=live, **more)
