"""The commands: what each is for, its options, and the module that runs it."""

from rulesrun.cli.arguments import Command, Option

JSON = Option("json", "", "print JSON and nothing else")
SET = Option("set", "NAME=VALUE", "change a setting of the system; may be repeated", repeated=True)
SEED = Option("seed", "N", "the same seed gives the same dice, everywhere", number=True)
CHOOSE = Option(
    "choose",
    "NAME=POLICY",
    "how a choice is made: never, always, default, best, worst, ask, a value, or an expression",
    repeated=True,
)
AIM = Option("aim", "EXPR", "what `best` is best for, instead of the chance of a good outcome")

ROLL = Command(
    "roll",
    "rulesrun FILE [RULE] [NAME=VALUE ...] [options]",
    "roll a rule and explain how it came out",
    "Roll a rule and explain how it came out. Without RULE the file's first rule is rolled.",
    (
        SEED,
        Option("times", "N", "roll N times; above 20 a summary", number=True),
        Option("dice", "NAME=10,10,6", "these dice were rolled at the table; missing ones are rolled", repeated=True),
        CHOOSE,
        AIM,
        SET,
        JSON,
    ),
    examples=(
        "rulesrun hive.rules",
        "rulesrun hive.rules skill_check attribute=4 specialized=yes --seed 7",
        "rulesrun hive.rules skill_check --dice human=10,10,6 --set success_on=7..10",
        "rulesrun mine.rules --times 1000",
    ),
)
TEST = Command(
    "test",
    "rulesrun test FILE...",
    "run the examples in the files",
    "Run the examples in the files. Exit status 1 if one does not hold.",
    (SET,),
    files="many",
    examples=("rulesrun test hive.rules", "rulesrun test mine.rules --set success_on=7..10"),
)
CHECK = Command(
    "check",
    "rulesrun check FILE...",
    "errors and warnings without rolling",
    "Report errors and warnings without rolling. Exit status 1 if there are errors.",
    files="many",
    examples=("rulesrun check mine.rules",),
)
SHOW = Command(
    "show",
    "rulesrun show FILE [RULE] [options]",
    "the rules as a card for the table",
    "Show the rules as a card for the table: inputs, domains, outcomes, texts, tables.",
    (SET,),
    examples=("rulesrun show hive.rules", "rulesrun show twist.rules group_check"),
)
LIST = Command("list", "rulesrun list", "the bundled rulesets", "List the bundled rulesets.", files="none")
COPY = Command(
    "copy",
    "rulesrun copy NAME [DEST]",
    "an editable copy of a bundled ruleset",
    "Make an editable copy of a bundled ruleset or character in this folder, or as DEST.",
    examples=("rulesrun copy hive.rules mine.rules",),
)

COMMANDS = {each.name: each for each in (ROLL, TEST, CHECK, SHOW, LIST, COPY)}
MODULES = {
    "roll": "rulesrun.cli.roll",
    "test": "rulesrun.cli.test",
    "check": "rulesrun.cli.check",
    "show": "rulesrun.cli.browse",
    "list": "rulesrun.cli.browse",
    "copy": "rulesrun.cli.browse",
}


def overview() -> str:
    """What `rulesrun --help` shows."""
    usages = {each: each.usage.removesuffix(" [options]") for each in COMMANDS.values()}
    lines = [f"  {usage:<40} {each.summary}" for each, usage in usages.items()]
    return "\n".join(
        [
            "Tabletop rules written as readable files: roll them, explain them, test them.",
            "",
            *lines,
            "",
            "FILE is a path or a bundled name (`rulesrun list`). Each command has --help.",
        ]
    )
