"""`python -m rulesrun` and the `rulesrun` command."""

import sys


def run() -> None:
    """Run the command line on this process's arguments and exit with its status."""
    try:
        from rulesrun.cli import main

        status = main(sys.argv[1:])
    except KeyboardInterrupt:
        status = 130
    sys.exit(status)


if __name__ == "__main__":
    run()
