"""Characters: read from YAML, judged by the sheet of a ruleset, written back, and put into the inputs of rules."""
