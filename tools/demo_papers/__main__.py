"""Write the papers of the demo: `python -m tools.demo_papers [--check]`."""

import sys

from tools.demo_papers.generation import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
