"""Write the source files of the demo's releases: `python -m tools.demo_releases [--check]`."""

import sys
from argparse import ArgumentParser

from tools.demo_releases import pairs, questions
from tools.demo_releases.tables import read_graph


def main() -> int:
    parser = ArgumentParser(prog="tools.demo_releases")
    parser.add_argument("--check", action="store_true", help="only check that they are up to date")
    options = parser.parse_args()
    graph = read_graph()
    files = {
        pairs.FILE: pairs.generate_pairs(graph),
        questions.FILE: questions.answer_questions(graph),
    }
    if not options.check:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    old = [path for path, text in files.items() if path.read_text(encoding="utf-8") != text]
    for path in old:
        sys.stderr.write(f"{path} is not up to date. Run python -m tools.demo_releases.\n")
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
