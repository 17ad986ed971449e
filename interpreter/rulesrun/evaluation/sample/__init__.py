"""Estimates by many trials at once: the same plan over NumPy arrays that hold a block of trials each."""
