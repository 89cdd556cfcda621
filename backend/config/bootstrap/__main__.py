"""The first file that runs, perhaps on an old Python: it must parse there, to say so."""

import os
import shutil
import sys

OLDEST, NEWEST = (3, 11), (3, 14)


def find_python() -> None:
    """Become a fitting Python if there is one on the path; else say what is missing."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        found = shutil.which("python3.%d" % minor)  # noqa: UP031  an old Python must parse this
        if found:
            os.execv(found, [found, "-m", "backend.config.bootstrap"] + sys.argv[1:])  # noqa: RUF005
    sys.exit(
        "Serendib needs Python 3.11 to 3.14; this is %d.%d (%s). Install one, or name it: "  # noqa: UP031
        "make run PYTHON=/path/to/python3.12" % (sys.version_info[:2] + (sys.executable,))  # noqa: RUF005
    )


if OLDEST <= sys.version_info[:2] <= NEWEST:
    from backend.config.bootstrap.targets import main

    main(sys.argv[1:])
else:
    find_python()
