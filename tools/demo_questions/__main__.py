"""Generate the questions of the demo: `python -m tools.demo_questions [--check]`."""

import os
import sys

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()
    from tools.demo_questions.generation import main  # needs the models

    sys.exit(main())
