"""Find what is added as a folder: the built-in folders of a package, and those of plugins.

A plugin is an importable package named in the environment variable SERENDIB_PLUGINS (several are
separated by commas). It mirrors the built-in layout: `<plugin>/<group>/<name>/<entry>.py`, for
example `my_plugin/study_kinds/rating/kind.py` beside `annotation/kinds/ranking/kind.py`.
"""

import os
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

PLUGINS_VARIABLE = "SERENDIB_PLUGINS"


def plugin_packages() -> list[str]:
    names = os.environ.get(PLUGINS_VARIABLE, "").split(",")
    return [name.strip() for name in names if name.strip()]


def discover_modules(
    package: str, *, group: str, entry: str, optional: bool = False
) -> Iterator[ModuleType]:
    """Import `entry` of every folder in `package`, then of every folder in each plugin's `group`.

    Folders come in the order of their names, the built-in ones first. A plugin without the group
    adds nothing. Raises ImportError for a plugin that cannot be imported and, unless optional,
    for a folder without the entry.
    """
    parents = [package]
    for plugin in plugin_packages():
        import_module(plugin)
        if find_spec(f"{plugin}.{group}") is not None:
            parents.append(f"{plugin}.{group}")
    for parent in parents:
        for folder in pkgutil.iter_modules(import_module(parent).__path__):
            module = f"{parent}.{folder.name}.{entry}"
            if folder.ispkg and not (optional and find_spec(module) is None):
                yield import_module(module)
