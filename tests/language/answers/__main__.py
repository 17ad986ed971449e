"""Prints the answers as JSON."""

import json
import sys

from tests.language.answers import answers

sys.stdout.write(json.dumps(answers(), indent=1) + "\n")
