"""What rests on a version and would break without it. Rooms below register what they cite."""

from __future__ import annotations

from collections.abc import Callable

from backend.graphs.models import Version

# Says in words, for people, what cites a version: "the study 'Serendipity'".
Citing = Callable[[Version], list[str]]

_registered: list[Citing] = []


def register(citing: Citing) -> Callable[[], None]:
    """Called once, when a room that cites versions is ready; returns how to take it back."""
    _registered.append(citing)
    return lambda: _registered.remove(citing)


def citations_of(version: Version) -> list[str]:
    views = version.views.count()
    own = [f"{views} saved view{'s' if views > 1 else ''}"] if views else []
    return [*own, *(what for citing in _registered for what in citing(version))]
