"""From a parsed tree to a checked plan, the only thing that the evaluators accept."""
