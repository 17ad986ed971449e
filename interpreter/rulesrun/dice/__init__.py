"""Distributions, pools and the questions asked of pools; knows nothing of the language."""
