"""The failed tests of a run and its most frequent errors, in few lines.

Whoever reads a run on another machine often sees its last twenty lines alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MAX_NAMES = 13
MAX_ERRORS = 4
MAX_WIDTH = 240
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
# The summary of pytest, a journey that was tried again, and a heading of vitest.
NAME = re.compile(r"^(?:(?:FAILED|ERROR|FIRST TRY) (?P<pytest>tests/.*)| FAIL  (?P<vitest>.*))$")
# pytest marks every line of an error; vitest begins one with its class.
ERROR = re.compile(r"^(?:E {3,}(?P<pytest>.*\w.*)|(?P<vitest>\w*Error: .*))$")


@dataclass
class FailedTests:
    names: dict[str, None] = field(default_factory=dict)  # a set with an order
    errors: Counter[str] = field(default_factory=Counter)

    def read(self, line: str) -> None:
        plain = COLOUR.sub("", line).rstrip()
        if name := NAME.match(plain):
            self.names[name["pytest"] or name["vitest"]] = None
        elif error := ERROR.match(plain):
            self.errors[(error["pytest"] or error["vitest"]).strip()] += 1


def describe_failures(runs: Iterable[FailedTests]) -> Iterator[str]:
    """At most MAX_NAMES + MAX_ERRORS + 1 lines."""
    read = list(runs)
    names = [name for run in read for name in run.names]
    for name in names[:MAX_NAMES]:
        yield f"  {name}"[:MAX_WIDTH]
    if len(names) > MAX_NAMES:
        yield f"  and {len(names) - MAX_NAMES} more"
    errors = sum((run.errors for run in read), Counter[str]())
    for text, count in errors.most_common(MAX_ERRORS):
        yield f"  {count} times: {text}"[:MAX_WIDTH]
