from functools import cache

from django.core.management.base import BaseCommand
from django.urls import URLPattern

from annotation.kinds.base import AnyKind
from backend.common.errors import DomainError
from backend.runtime.discovery import discover_modules
from backend.validation.faults import Fault

PACKAGE, GROUP = "annotation.kinds", "study_kinds"


@cache
def study_kinds() -> dict[str, AnyKind]:
    modules = discover_modules(PACKAGE, group=GROUP, entry="kind")
    kinds: list[AnyKind] = [module.KIND for module in modules]
    return {kind.name: kind for kind in kinds}


def get_kind_or_raise(name: str) -> AnyKind:
    kind = study_kinds().get(name)
    if kind is None:
        known = ", ".join(study_kinds())
        code, sentence = "unknown_study_kind", f"There is no study kind '{name}' here."
        fault = Fault("kind", "This study kind is not installed.", code, known)
        raise DomainError(sentence, code=code, faults=[fault])
    return kind


def kind_urlpatterns() -> list[URLPattern]:
    """Routes that only one kind has: `urlpatterns` of the optional module `api` of its folder."""
    modules = discover_modules(PACKAGE, group=GROUP, entry="api", optional=True)
    return [pattern for module in modules for pattern in module.urlpatterns]


def load_kind_command(name: str) -> type[BaseCommand]:
    """A command that only one kind has: of `COMMANDS` of the optional module `commands` of its
    folder. Django looks for commands in apps alone, so a module there has the name."""
    modules = discover_modules(PACKAGE, group=GROUP, entry="commands", optional=True)
    commands: dict[str, type[BaseCommand]] = {}
    for module in modules:
        commands |= module.COMMANDS
    return commands[name]


def load_kind_jobs() -> None:
    """Import the optional module `job_kinds` of each folder, which registers jobs of one kind."""
    for _ in discover_modules(PACKAGE, group=GROUP, entry="job_kinds", optional=True):
        pass
