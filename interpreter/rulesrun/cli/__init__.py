"""The command line: argv, files, streams and exit statuses. The only part that prints."""

from rulesrun.cli.main import main

__all__ = ["main"]
