"""Each kind of fault of FAULTS.md, brought before every command and the Python interface: an answer or a clear refusal.

What the answer should be is in `test_faults.py` for rolls, odds and checks; here no command may end in a fault of its
own, contradict the others about whether the file is sound, or go on for ever.
"""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import rulesrun
from rulesrun import RulesError
from rulesrun.cli.main import main
from rulesrun.cli.terminal import Terminal
from rulesrun.render.layout import PLAIN

RULE = "rule r\n    "
SHEET = """

sheet "s"
    trait name: text
    trait n: 0.. = 1
    value twice = 2 * n
    action grow(by: 1.. = 1): n += by
"""
DOUBLED = "rule a{k}\n    roll y = a{before}\n    roll z = a{before}\n    x = y.x + z.x\n"


def rolls(dice: str, value: str = "sum of p") -> str:
    return f"{RULE}roll p = {dice}\n    x = {value}\n"


def given(dice: str, default: int) -> str:
    return f"{RULE}given n: .. = {default}\n    roll p = {dice}\n    x = sum of p\n"


TEXTS = {
    "B01": rolls("100000000d20"),
    "B01-given": given("n d20", 10**8),
    "B05": rolls("1d99999999999999999999999999999999"),
    "B08": "die a = blank, win x2, win & edge\n" + rolls("30a", "count win in p - count edge in p"),
    "B09": rolls("1d1, explode on 1"),
    "B11": rolls("1d6, reroll 1..6"),
    "B14": given("2d(n), explode on sides", 1),
    "B15": rolls("2d0"),
    "B15-given": given("2d(n)", 0),
    "B18": rolls("0d6"),
    "B21": rolls("(-9)d20"),
    "B22": given("(n - 10)d10", 5),
    "B27": rolls("4d20", "sum of p / 4"),
    "B27-zero": rolls("1d2", "1 / (sum of p - 1)"),
    "B28": rolls("1d6, keep highest 2"),
    "B33": rolls("2d2, again on sum >= 4"),
    "B34": rolls("2d20khmin10"),
    "B41": rolls("2d6", "max(count 4..6 in p, count 1 in p)"),
    "B52": rolls("1d6", "p % 2"),
    "B55": rolls("2d6", "--1 + sum of p"),
    "B59": rolls("1d20", "sum of p \u2212 2"),
    "B62": RULE + "roll score = d6\n    d20_bonus = score\n    keep = d20_bonus\n    x = keep\n",
    "B64": RULE + "given n: 1.. = 1\n    given d: 1.. = 6\n    roll p = n d(d)\n    x = sum of p\n",
    "B66": rolls("1d20  # kh1 \"quote ( explode"),
    "B68": rolls("d6", "(" * 5000 + "p" + ")" * 5000),
    "B71": rolls("1da"),
    "B71-open": rolls("1d6d"),
    "B73": rolls("4d6 3d8"),
    "B74": rolls("d6", "before + p"),
    "B76": "rule a\n    x = 1\n\nrule b\n    x = nowhere\n\nrule c\n    x = 3\n",
    "B77": rolls("60d100", "1 if sum of p = 60 otherwise 0"),
    "B85": rolls("2d6").replace("\n", "\r\n"),
    "B85-old": rolls("2d6").replace("\n", "\r"),
    "B88": "rule a0\n    x = 1\n" + "".join(DOUBLED.format(k=k, before=k - 1) for k in range(1, 16)),
    "B88-round": "rule a\n    roll y = b\n    x = y.x\nrule b\n    roll y = a\n    x = y.x\n",
    "B90": rolls("d6") + "\n" + rolls("d8"),
    "power": RULE + "x = 10 ^ 10 ^ 10\n",
    "never": RULE + "track n = 0\n    repeat until n < 0\n        roll p = d6\n        n += p\n    x = n\n",
    "empty": "",
    "zero byte": "rule r\0\n    x = 1\n",
}  # fmt: skip

COMMANDS = (
    ["FILE"],
    ["odds", "FILE"],
    ["odds", "FILE", "--sample", "50", "--seed", "1"],
    ["compare", "FILE", "OTHER"],
    ["tune", "FILE", "mean of x = 7", "--vary", "n=1,2"],
    ["test", "FILE"],
    ["check", "FILE"],
    ["fmt", "--check", "FILE"],
    ["show", "FILE"],
    ["sheet", "FILE", "CHARACTER", "--do", "grow 2"],
    ["list"],
)


@pytest.mark.parametrize("kind", TEXTS)
def test_every_command_answers_or_refuses(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = TEXTS[kind]
    sheet = SHEET if text else ""
    Path("a.rules").write_bytes((text + sheet).encode())
    Path("b.rules").write_bytes(rolls("2d6").encode())
    Path("c.yaml").write_text("name: Zoe\nn: 3\n")
    sound = _is_sound(text + sheet)
    for words in COMMANDS:
        names = {"FILE": "a.rules", "OTHER": "b.rules", "CHARACTER": "c.yaml"}
        out, err = io.StringIO(), io.StringIO()
        status = main([names.get(word, word) for word in words], Terminal(io.StringIO(), out, err, PLAIN, PLAIN))
        told = f"{words}: {status}\n{out.getvalue()[:500]}\n{err.getvalue()[:500]}"
        assert status in (0, 1, 2), told
        assert "fault in rulesrun" not in err.getvalue() and "Traceback" not in err.getvalue(), told
        assert status == 0 or err.getvalue() or out.getvalue(), told
        if not sound and words[0] not in ("list", "fmt"):
            assert status in (1, 2) and "a.rules" in err.getvalue(), told
        if sound and sheet and words[0] in ("check", "show", "sheet"):
            assert status == 0, told


@pytest.mark.parametrize("kind", TEXTS)
def test_the_python_interface_raises_one_kind_of_error(kind: str) -> None:
    try:
        found = rulesrun.parse(TEXTS[kind], "a.rules")
    except RulesError as error:
        assert error.file == "a.rules" and error.message
        return
    for rule in found:
        uses = (
            lambda rule=rule: rule.roll(seed=1).trace,
            lambda rule=rule: [list(rule.odds().of(name).items()) for name in rule.numbers],
            lambda rule=rule: rule.sample(50, seed=1).to_json(),
            lambda rule=rule: rule.odds_table().to_csv(),
            lambda rule=rule: list(rule.odds_rows()),
            lambda rule=rule: rule.odds(given="x > 10 ^ 6"),
        )
        for use in uses:
            try:
                use()
            except RulesError as error:
                assert error.message and error.file in (None, "a.rules", "given")
    assert found.test() == ()


def _is_sound(text: str) -> bool:
    try:
        rulesrun.parse(text, "a.rules")
    except RulesError:
        return False
    return True


def test_what_an_inner_for_each_needs_of_the_outer_is_handed_to_a_formula() -> None:
    text = """\
rule beaten
    given faces: list of 0..
    given than:  0..
    x = for each b in faces: (1 if than > b otherwise 0)
rule r
    roll p = 2d6
    roll q = 3d6
    x = for each a in p: beaten(faces = q, than = a).x
"""
    rule = rulesrun.parse(text)["r"]
    assert rule.odds().of("x").mean == 2 * 3 * 15 / 36
    low, high = rule.sample(20_000, seed=1, of=["x"]).of("x").mean_interval(0.999_999)
    assert low < 2.5 < high
    for seed in range(30):
        roll = rule.roll(seed=seed)
        ours, theirs = ([int(str(face)) for face in roll.dice[name]] for name in "pq")
        assert roll.values["x"] == sum(one > other for one in ours for other in theirs)
