"""`python -m tengen`: the user's command."""

from tengen.cli import main

main()
