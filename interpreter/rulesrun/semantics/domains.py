"""What a domain of a plan holds, taken apart."""

from __future__ import annotations

from .plan import Domain, Expression, ListDomain, NumberDomain


def number_bounds(domain: Domain) -> tuple[Expression | None, Expression | None]:
    """The bounds of a domain's numbers, or of those of its items."""
    while isinstance(domain, ListDomain):
        domain = domain.items
    return (domain.low, domain.high) if isinstance(domain, NumberDomain) else (None, None)
