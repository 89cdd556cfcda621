"""python -m tests.bench.with_django MODULE ARGUMENTS: run a module that loads models."""

from __future__ import annotations

import os
import runpy
import sys

import django


def main(module: str) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "backend.config.settings")
    django.setup()
    del sys.argv[0]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1])
