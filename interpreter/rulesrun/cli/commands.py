"""The commands: what each is for, its options, and the module that runs it."""

from rulesrun.cli.arguments import Command, Option

JSON = Option("json", "", "print JSON and nothing else", "switch")
SET = Option("set", "NAME=VALUE", "change a setting of the system; may be repeated", "pairs")
SEED = Option("seed", "N", "the same seed gives the same dice, everywhere", "number")
CHOOSE = Option(
    "choose",
    "NAME=POLICY",
    "how a choice is made: never, always, default, best, worst, ask, a value, or an expression",
    "pairs",
)
CSV = Option("csv", "", "print comma-separated values and nothing else", "switch")
OUT = Option("out", "FILE", "write the rows of a sweep to FILE.csv, .jsonl or .parquet; goes on if stopped", "text")
DASK = Option("dask", "ADDRESS", "compute a sweep on the Dask cluster whose scheduler is there", "text")
WORKERS = Option("workers", "N", "processes that share a long sweep; by default one a core", "number")
AIM = Option("aim", "EXPR", "what `best` is best for, instead of the chance of a good outcome", "text")

LIMIT = Option("limit", "NAME=N", "raise a bound, for files that you trust; the reference lists them", "pairs")

AS = Option(
    "as",
    "CHARACTER",
    "fill inputs from a character; attacker=CHARACTER for one side; may be repeated",
    "texts",
)
REVEAL = Option("reveal", "", "show what is private of a character, too", "switch")

ROLL = Command(
    "roll",
    "rulesrun FILE [RULE] [NAME=VALUE ...] [options]",
    "roll, and explain the roll",
    "Roll a rule and explain how it came out. Without RULE the file's first rule is rolled.",
    (
        SEED,
        Option("times", "N", "roll N times; above 20 a summary", "number"),
        Option("dice", "NAME=10,10,6", "these dice were rolled at the table; missing ones are rolled", "pairs"),
        CHOOSE,
        AIM,
        AS,
        REVEAL,
        SET,
        LIMIT,
        JSON,
    ),
    examples=(
        "rulesrun hive.rules",
        "rulesrun hive.rules skill_check attribute=4 specialized=yes --seed 7",
        "rulesrun hive.rules skill_check --dice human=10,10,6 --set success_on=7..10",
        "rulesrun mine.rules --times 1000",
        "rulesrun polity.rules check --as armistad.yaml attribute=intellect skill=academics",
    ),
)
OF = Option("of", "NAME", "the odds of a value or an expression; may be repeated", "texts")
GIVEN = Option("given", "CONDITION", "conditional odds: this is known to hold", "text")
BUDGET = Option("budget", "N", "bound on the states that may be visited", "number")

ODDS_OPTIONS = (
    OF,
    GIVEN,
    CHOOSE,
    AIM,
    AS,
    REVEAL,
    SET,
    LIMIT,
    BUDGET,
    JSON,
    CSV,
    OUT,
    WORKERS,
    DASK,
)
ODDS = Command(
    "odds",
    "rulesrun odds FILE [RULE] [NAME=VALUE ...] [options]",
    "exact odds; several values sweep",
    "The exact odds of a rule. Several values (attribute=1..5, needed=1,2) sweep: a\n"
    "line for each. Ctrl-C keeps the rows that are done; with --out the same command\n"
    "goes on from there.",
    (
        *ODDS_OPTIONS,
        Option("sample", "N", "estimates out of N trials instead of exact odds, with their intervals", "number"),
        SEED,
    ),
    examples=(
        "rulesrun odds hive.rules",
        "rulesrun odds hive.rules skill_check attribute=1..5 needed=1,2",
        "rulesrun odds hive.rules --of successes --given 'any 10 in drone' drone_damage=2",
        "rulesrun odds twist.rules luck=3 --choose push=best",
        "rulesrun odds hive.rules attribute=5 --sample 1000000 --seed 7",
        "rulesrun odds hive.rules attribute=1..9 skill=0..9 needed=1..20 --out hive.csv",
    ),
)
COMPARE = Command(
    "compare",
    "rulesrun compare FILE [FILE] [RULE] [NAME=VALUE ...] [options]",
    "two rulesets side by side",
    "The odds of two rulesets side by side, with the change; or of one as written and with --set.",
    (OF, GIVEN, CHOOSE, AIM, AS, REVEAL, SET, LIMIT, BUDGET, JSON, CSV, OUT, WORKERS, DASK),
    files="two",
    examples=(
        "rulesrun compare hive.rules mine.rules",
        "rulesrun compare hive.rules --set success_on=7..10 attribute=1..5",
        "rulesrun compare hive.rules mine.rules --of successes",
        "rulesrun compare hive.rules mine.rules needed=1..5 --out change.csv",
    ),
)
TUNE = Command(
    "tune",
    "rulesrun tune FILE [RULE] GOAL... --vary NAME=VALUES [NAME=VALUE ...]",
    "what comes nearest to goals",
    "Find the settings or inputs whose odds come nearest to the goals, best first.\n"
    "A goal is a chance or a mean: 'chance of success = 65%', 'mean of total >= 12'.\n"
    "Of several goals, and where inputs have several values, the one furthest off\n"
    "counts; a mean is off by its share of what is wanted. With --out the rows stand\n"
    "in the order tried, and the same command goes on where it was stopped.",
    (
        Option("vary", "NAME=VALUES", "values to try for a setting or an input; may be repeated", "pairs"),
        GIVEN,
        CHOOSE,
        AIM,
        AS,
        REVEAL,
        SET,
        LIMIT,
        BUDGET,
        JSON,
        CSV,
        OUT,
        WORKERS,
        DASK,
    ),
    goals=True,
    examples=(
        "rulesrun tune hive skill_check 'chance of success = 65%' --vary needed=1..5",
        "rulesrun tune hive skill_check 'chance of good = 65%' attribute=2..4 \\\n"
        "    --vary success_on=6..10,7..10 --vary needed=1,2",
        "rulesrun tune hive skill_check 'chance of good = 65%' --vary needed=1..9 \\\n"
        "    --vary attribute=1..9 --vary skill=0..9 --out tried.csv",
    ),
)
TEST = Command(
    "test",
    "rulesrun test FILE...",
    "run the examples in files",
    "Run the examples in the files. Exit status 1 if one does not hold.",
    (SET, LIMIT),
    files="many",
    examples=("rulesrun test hive.rules", "rulesrun test mine.rules --set success_on=7..10"),
)
CHECK = Command(
    "check",
    "rulesrun check FILE...",
    "errors and warnings in files",
    "Report errors and warnings without rolling. Exit status 1 if there are errors.",
    (LIMIT,),
    files="many",
    examples=("rulesrun check mine.rules",),
)
FMT = Command(
    "fmt",
    "rulesrun fmt [--check] FILE...",
    "the canonical layout of files",
    "Lay out files canonically; comments stay. `-` lays out standard input.",
    (Option("check", "", "change nothing; name the files that would change, exit status 1", "switch"), LIMIT),
    files="many",
    examples=("rulesrun fmt mine.rules", "rulesrun fmt --check *.rules", "rulesrun fmt - < mine.rules"),
)
SHOW = Command(
    "show",
    "rulesrun show FILE [RULE] [options]",
    "the rules as a card",
    "Show the rules as a card for the table: inputs, domains, outcomes, texts, tables.",
    (SET, LIMIT),
    examples=("rulesrun show hive.rules", "rulesrun show twist.rules group_check"),
)
SHEET = Command(
    "sheet",
    "rulesrun sheet FILE CHARACTER [options]",
    "a character, judged",
    "Show a character: traits, derived values, statuses, points, prices of advances.\n"
    "Exit status 1 if a limit is broken or an action refused, 2 if the file is wrong.",
    (
        Option("do", "ACTION", "let it do something first; may be repeated", "texts"),
        Option("write", "", "write the file with what was done; comments stay", "switch"),
        Option("reveal", "", "show what is private, too", "switch"),
        SET,
        LIMIT,
        JSON,
    ),
    files="both",
    examples=(
        "rulesrun sheet polity.rules armistad.yaml",
        "rulesrun sheet polity.rules armistad.yaml --do 'raise academics'",
        "rulesrun sheet hive.rules mine.yaml --do 'suffer_drone_damage 2' --write",
    ),
)
LIST = Command(
    "list", "rulesrun list", "bundled rulesets, characters", "List the bundled rulesets and characters.", files="none"
)
COPY = Command(
    "copy",
    "rulesrun copy NAME [DEST]",
    "an editable copy of one of them",
    "Make an editable copy of a bundled ruleset or character in this folder, or as DEST.",
    examples=("rulesrun copy hive.rules mine.rules", "rulesrun copy armistad.yaml"),
)

COMMANDS = {each.name: each for each in (ROLL, ODDS, COMPARE, TUNE, TEST, CHECK, FMT, SHOW, SHEET, LIST, COPY)}
MODULES = {
    "roll": "rulesrun.cli.roll",
    "odds": "rulesrun.cli.odds",
    "compare": "rulesrun.cli.compare",
    "tune": "rulesrun.cli.tune",
    "test": "rulesrun.cli.examine",
    "check": "rulesrun.cli.examine",
    "fmt": "rulesrun.cli.fmt",
    "show": "rulesrun.cli.browse",
    "sheet": "rulesrun.cli.sheet",
    "list": "rulesrun.cli.browse",
    "copy": "rulesrun.cli.browse",
}


def overview() -> str:
    """What `rulesrun --help` shows."""
    usages = {each: each.usage.removesuffix(" [options]").removeprefix("rulesrun ") for each in COMMANDS.values()}
    short = {
        each: usage if len(usage) <= 43 else usage.removesuffix(" [NAME=VALUE ...]") for each, usage in usages.items()
    }
    lines = [f"  {usage:<43}  {each.summary}" for each, usage in short.items()]
    return "\n".join(
        [
            "Tabletop rules in readable files: roll them, explain them, know their odds.",
            "",
            "usage: rulesrun ...",
            *lines,
            "",
            "FILE is a path, a bundled name (`rulesrun list`), or dice: '2d20kh1 + 5'.",
            "Each command has --help.",
        ]
    )
