"""Find a supported Python. This file must parse on old versions, to report them."""

import os
import shutil
import sys

OLDEST, NEWEST = (3, 11), (3, 14)


def find_python() -> None:
    """Continue with a supported Python of the path; otherwise print what is missing."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        path = shutil.which("python3.%d" % minor)  # noqa: UP031  an old Python must parse this
        if path:
            os.execv(path, [path, "-m", "tools.bootstrap"] + sys.argv[1:])  # noqa: RUF005  the same
    sys.exit(
        "Serendib needs Python 3.11 to 3.14; this is %d.%d (%s). Install one, or name it: "  # noqa: UP031  the same
        "make run PYTHON=/path/to/python3.12" % (sys.version_info[:2] + (sys.executable,))  # noqa: RUF005  the same
    )


if OLDEST <= sys.version_info[:2] <= NEWEST:
    from tools.bootstrap.make_targets import main

    main(sys.argv[1:])
else:
    find_python()
