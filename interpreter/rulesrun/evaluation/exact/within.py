"""Whether a number that is not known yet lies in a domain whatever the dice show."""

from __future__ import annotations

from rulesrun.evaluation.exact.seen import Seen
from rulesrun.evaluation.exact.symbols import Linear, Number
from rulesrun.semantics import plan


def inside_for_certain(
    value: Linear, domain: plan.Domain, least: Number | None, most: Number | None, seen: Seen
) -> bool:
    """Whether it is a whole number between the bounds of the domain (None: open) for certain."""
    if not isinstance(domain, plan.NumberDomain) or value.layered:
        return False
    form, factor = value.canonical()
    if type(factor) is not int or type(value.constant) is not int:
        return False
    ends = seen.algebra.form_bounds(seen.sources, form)
    ends = ends if factor > 0 else ends[::-1]
    lowest, highest = (None if end is None else value.constant + factor * end for end in ends)
    return (least is None or (lowest is not None and lowest >= least)) and (
        most is None or (highest is not None and highest <= most)
    )
