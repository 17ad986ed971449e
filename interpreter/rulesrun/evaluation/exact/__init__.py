"""Exact odds: a plan and its inputs in, the exact joint distribution of what is asked out.

The rule is followed once with dice that stay unknown (`symbols`). A question to unknown dice gives an unknown number
or yes/no; a
condition that is not decided splits the state in two and is remembered as a fact (`facts`). A state's chance is the
chance of its
facts, computed by algebra (`chances`) once nothing that follows reads the dice any more. What cannot stay unknown is
split into its
values. Equal states are merged, so that the work grows with what later lines still read, not with the number of dice.
"""
