"""`python -m rulesrun` and the `rulesrun` command."""

import sys


def run() -> None:
    """Run the command line on this process's arguments and exit with its status."""
    from rulesrun.cli import main

    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
