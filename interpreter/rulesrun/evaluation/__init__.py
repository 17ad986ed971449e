"""The evaluators of a plan: one roll with its trace, exact odds, samples."""
