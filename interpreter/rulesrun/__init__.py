"""Run tabletop rules written as readable files: roll them, explain them, test them."""
