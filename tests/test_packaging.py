"""What is installed is what stands in the folders."""

import tomllib
from importlib.resources import files
from pathlib import Path

PROJECT = Path(__file__).parents[1]


def test_every_package_is_installed() -> None:
    stated = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    root = PROJECT / "interpreter"
    found = {".".join(each.parent.relative_to(root).parts) for each in root.rglob("*.py")}
    assert set(stated) == found | {"rulesrun.grammar", "rulesrun.rulesets"}
    for name in found:
        assert (root / Path(*name.split(".")) / "__init__.py").is_file(), f"{name} lacks an __init__.py"


def test_the_resources_are_found_as_resources() -> None:
    assert files("rulesrun.grammar").joinpath("rules.lark").is_file()
    assert {"hive.rules", "polity.rules", "gifts.rules", "twist.rules"} <= {
        each.name for each in files("rulesrun.rulesets").iterdir()
    }
    assert files("rulesrun").joinpath("py.typed").is_file()
