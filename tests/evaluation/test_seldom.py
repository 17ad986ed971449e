"""Rules that random rules seldom make: exact odds equal the enumerator's, and samples show what the odds say."""

from __future__ import annotations

import pytest
from tests.properties.compare import compare_odds, compare_rolls
from tests.properties.rules import Sample
from tests.properties.sampling import compare_samples

RULES = {
    "parities of which a part is known": """
rule r
    roll p = 2d4
    roll q = 2d3
    even  = count 2.. in (p + q) in even
    pairs = pairs of 2.. in (p + q)
    wide  = 10 * face of largest set in p + longest run in p
    odd   = sum of (p + q) in odd
    both  = even and odd and wide > 31
    third = wide if pairs = 1 otherwise 0
""",
    "domains with an open end": """
rule r
    roll p = 2d4
    few: ..8 = sum of p
    low: -8.. = 0 - sum of p
    any_at_all: .. = 3 * sum of p - 2
    total = few + low + any_at_all
""",
    "no dice at all": """
rule r
    given n: 0.. = 0
    roll p = n d4
    roll q = n d6 + (1 - n) d4, keep highest 1
    widest = largest set in p
    faces  = distinct in p + face of largest set in p + middle of p + die 1 of p
    equal  = all equal in p
    either = p outranks q or q outranks p
    roll e = n d4, explode on 4
    sets_  = sets of 2 in e + largest set in (e + q) + size of (q cancelled by e)
    won    = wins of q over p + longest run in p + sets of 2.. in p
""",
    "dice of sizes that were rolled": """
rule r
    roll a = d{2, 3, 4}
    roll b = d{2, 6}
    sizes = [a, b]
    roll pool = d(sizes), explode on sides once
    total = sum of pool
    tops  = for each die in pool: 1 if die = sides otherwise 0
""",
    "dice of sizes that are chosen by chance": """
rule r
    roll which = d3
    sizes = [2, 4] if which = 1 otherwise [3] if which = 2 otherwise [2, 2, 2]
    roll pool = d(sizes)
    total = sum of pool
    best  = highest of pool
""",
    "sides that were rolled": """
rule r
    roll size = d{2, 3, 5}
    roll pool = 1d(size), reroll 1 once
    roll more = 1d4, explode on 3.. once, explode on 1 rolling d(size) once
    total = sum of pool + 10 * count size in more
    roll other = 1d3, explode on 3 rolling d(size + 1) once
    tops  = for each die in (other + pool): 1 if die = sides otherwise 0
""",
    "dice with fractions and doubled faces": """
rule r
    roll p = 2d{1/2, 1/2, 3/2, 2}
    roll q = d{1/3 x2, 2}
    total = sum of p + q
    share = for each die in p: die / 2
    best  = highest of p
    low   = lowest of (p + [1/3])
    n     = count 1/2 in p
    two   = sum of (highest 1 of p) - q
    shift = sum of (p with each die as die + q)
""",
    "dice that are themselves rolled": """
die strange = lowest of 2d{1/2, 1, 3}
die score = sum of 2d3, keep highest 1
rule r
    roll q = 1 score + 1 strange, explode on 3 once
    total = sum of q
    size  = size of q
""",
    "explosions of faces that are parts": """
rule r
    roll p = 1d{1/2, 1, 3}, keep lowest 1
    roll s = 1d{1/2, 1, 3} + 1d{1/3, 2}, explode on sides once
    total = sum of s
    size  = size of (p + s)
""",
    "numbers that are rounded within a domain": """
rule r
    roll p = 2d4
    low: -3..-1 = round_down((1 - sum of p) / 2) if sum of p < 7 otherwise -3
    up: 1..3    = round_up(sum of p / 3)
    down: 0..4  = round_down(sum of p / 2)
    far         = round_up(sum of p / -3) + 10 * round_down(sum of p / -3)
    big         = 1009 * (3000000000 + sum of p)
    half        = remainder(sum of p, 2) + round_down(-1 / 2)
""",
    "advantage counted by chance": """
rule r
    roll mood = d3
    roll p = 2d3, with advantage mood - 2
    roll q = d{1/2, 2, 3}, with advantage mood - 2 at most 1
    total = sum of p
    other = q
    both  = sum of p > q + 2
""",
    "again, so often as chance says": """
rule r
    roll mood = d3
    roll p = 2d2, again on all equal at most mood times
    roll q = 1d3, again on sum = 3 at most 2 times, keep highest 2
    total = sum of p
    size  = size of p
    other = sum of q
""",
    "bags of things that differ": """
bag things = 2 red, 1 blue, 3 green
rule r
    roll n = d2
    draw first = n from things
    draw second = 2 from things
    reds  = count red in (first + second)
    blue  = any blue in second
    alike = size of (first cancelled by second)
    kinds = distinct in (first + second)
""",
    "a die of symbols beside numbers": """
die boost = blank, hit, hit & hit, spark
rule r
    roll p = 2 boost
    roll q = d4
    hits   = count hit in p
    sparks = count spark in p
    clean  = all blank in p
    both   = hits + sparks >= q
""",
    "lists that differ": """
rule r
    roll n = d3
    numbers = [1, 2, 2] if n = 1 otherwise [n, 1/2, 3] if n = 2 otherwise [0, 5, 5, 1]
    many  = count 2.. in numbers
    some  = any 2 in numbers
    total = sum of numbers
    place = numbers at n
    wide  = largest set in numbers
    parted = for each die in numbers: die if die > n otherwise 1/3
    squares = for each die in 1..n: die * die
    highest_two = sum of (highest 2 of numbers)
""",
    "faces that depend on chance": """
rule r
    roll n = d3
    roll p = 3d4
    hits  = count n.. in p
    other = count (n or 4) in p
    seen  = any n in p and none (n + 1) in p
    size  = size of (p showing ..n)
    sets  = sets of n in p
    where_ = size of (p where die >= n)
    among = n in p
    left  = sum of (p without (highest n of p))
    nth   = die n of p
    lows  = sum of (lowest n of p)
""",
    "pools by cases and choices of dice": """
rule r
    roll a = d3
    roll p =
        2d4            if a = 1
        1d6 + 1d2      if a = 2
        3d2, drop lowest 1 otherwise
    choice again: at most 1 dice of p by default lowest 1 of p
    roll second = dice of again if a > 1
    kept = p without again
    total = sum of kept + sum of second
    size  = size of (kept + second)
    higher = kept outranks second
""",
    "dice taken away that were thrown again": """
rule r
    roll p = 2d3, reroll 1 at most 1 times
    roll q = 1d3, explode on 3 at most 1 times, reroll odd at most 1 times, again on none 2 at most 1 times
    roll e = 1d2, explode on 2 adding at most 1 times
    left   = sum of (p without q)
    right  = size of (q without p)
    added  = sum of (e without p) + size of ((p + e) without (q + e))
    behind = sum of (p without highest 1 of p)
""",
    "faces that show in either of two throws, one of them thrown again": """
rule r
    roll p = 3d{0, 1, 1}
    roll q = 2d2, again on sum = highest of p once
    roll e = 1d2, again on sum = lowest of p
    top  = highest of (q + p)
    low  = lowest of (p + e)
    both = any 1 in (p + q) and any 2 in (e + q)
    out  = (sum of q) if any 2 in q otherwise highest of (q + p)
""",
    "targets of several kinds": """
rule r
    roll n = d3
    roll p = 2d4, against n
    roll q = 1d6, against 3
    hits  = for each die in (p + q): 1 if die >= target otherwise 0
    edges = for each die in (p + q): target if die = sides otherwise 0
    best  = sum of (highest 2 of (p + q))
    under = size of ((p + q) where die < target)
""",
    "cancelling under a condition": """
rule r
    roll p = 3d3
    roll q = 2d3
    one   = size of (p cancelled by q when die < other)
    two   = sum of (p cancelled by q when die + other = 4)
    three = sum of ((p showing 2..) cancelled by q)
    four  = highest of (p cancelled by (q showing 3))
""",
    "functions of several numbers": """
rule r
    roll p = 2d6
    roll q = d4
    a = clamp(sum of p - q, 2, 7)
    b = remainder(sum of p, q)
    c = max(sum of p / 2, q, 3)
    d = min(abs(q - sum of p), 5/2)
    e = round_up(sum of p / q) - round_down(q / 3)
    f = (sum of p - 7) ^ 2
    g = 2 ^ (q - 3)
""",
    "tables of several kinds": """
table harm
    ..3   light 1
    4..6  heavy 2
    7..   dead
table also
    2..5  slow
    5..9  sure
rule r
    roll p = 2d4
    what  = harm at (sum of p)
    value = (harm at (sum of p)).value
    known = value != none
    low   = what is light
    slow_ = (also at (sum of p - 3)) is slow
    both  = slow_ and (also at (sum of p - 3)) is sure
""",
    "turns with what they track": """
rule r
    track total = 0
    track last = 0
    track hand = no dice
    repeat 3 times until total >= 5
        roll die = 1d4
        total += sum of die
        last becomes highest of die
        hand becomes hand + die if last > 1
    wide  = largest set in hand
    size  = size of hand
    score = total * 10 + last
""",
    "rolls made again and handed on": """
rule side
    given need: 1..6 = 3
    roll p = 2d4, keep highest 1
    total = sum of p
    outcome
        + won  if total >= need
        - lost otherwise
rule r
    roll first  = side(need = 4)
    roll other  = side
    roll second = reroll first if first is lost and other is won
    total = first.total + 10 * other.total + (second.total if second.total != none otherwise 0)
    flag twice if second is won
    outcome as second if second is won otherwise first
""",
    "the same dice read in many ways": """
rule r
    roll p = 3d4
    a = sum of (p where count die in p >= 2)
    b = highest of (1..4 with each die as die * count die in p)
    c = groups of 5.. in p
    d = groups of 4 in p
    e = middle of (highest 2 of p)
    f = longest run in (p with each die as min(die, 3))
    g = natural p outranks (p showing 2..)
    h = for each die in p: (count die in p) * die
""",
    "what stays of dice of which some are kept": """
rule r
    roll p = 3d4
    best  = highest 2 of p
    high  = sum of (best where die > 2)
    more  = sum of (best with each die as die + 1)
    first = sum of natural best
    odd   = count odd in (best showing 2..) + 10 * count not 2 in (p showing 2..)
    none_ = none 3.. in (p showing not 4)
""",
    "parts of whole numbers": """
rule r
    roll p = 3d4
    half  = sum of (p with each die as die / 2)
    third = highest of (p with each die as die / 3) * 3
    flag whole if half in 2..4
""",
    "which dice are thrown again under a condition": """
rule r
    roll p = 3d3
    roll n = d2
    choice low: dice of p if sum of p < 6 by default p showing 1
    roll once_more = dice of low
    choice few: at most n dice of p if any 1 in p by default lowest 1 of p
    roll further = dice of few
    total = sum of once_more + 10 * sum of further
""",
    "conditions on sums of which a part is known": """
rule r
    roll p = 3d4
    roll q = 2d3
    roll more  = 1d2 if sum of p + sum of q in (5..9 or 11..12)
    roll other = 1d2 if 2 * sum of p - sum of q in 8..13 and any 2 in q
    roll third = 1d2 if count even in (p + q) in odd
    choice low: dice of p by default lowest 1 of p
    roll w = dice of low
    x = sum of w + 10 * sum of more + 100 * sum of other + 1000 * sum of third
""",
    "numbers that have an end on one side": """
rule r
    roll a = d6
    roll b = 2d4, explode on 4 at most 2 times
    near  = yes if a - sum of b in 1..2 otherwise no
    below = (2 * a - sum of b) in ..3
    outcome
        + close if near
        - far otherwise
""",
}


def made(name: str) -> Sample:
    return Sample(RULES[name].lstrip(), "r", {})


@pytest.mark.parametrize("name", RULES)
def test_odds_are_those_of_plain_enumeration(name: str) -> None:
    verdict = compare_odds(made(name), runs=20_000)
    assert verdict.agrees, verdict


@pytest.mark.parametrize("name", RULES)
def test_rolls_show_what_plain_enumeration_says(name: str) -> None:
    verdict = compare_rolls(made(name), 500, seed=1, runs=20_000)
    assert verdict.agrees, verdict


@pytest.mark.parametrize("name", RULES)
def test_a_sample_shows_what_the_odds_say(name: str) -> None:
    verdict = compare_samples(made(name), 6000, seed=1)
    assert verdict.agrees, verdict
