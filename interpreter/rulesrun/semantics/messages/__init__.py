"""The catalogue of all that the checker says: one function a case, its fields in, the worded diagnostic out; nothing
is found here.
"""
