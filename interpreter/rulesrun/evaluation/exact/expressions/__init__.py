"""Expressions on values some of which are not known yet, a file for each sort, each with a table of its compilers."""
