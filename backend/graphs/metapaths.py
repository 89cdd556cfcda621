"""Kinds of paths, in words and as keys that stay the same from one version to the next.

A key is the types and relations in turn, separated by strokes; before a relation stands '>' when
it is walked along its edges, '<' against them, '=' where it is symmetric:
Drug/>targets/Gene/=interacts with/Gene. A stroke in a name is %2F, a percent sign %25.
"""

from __future__ import annotations

from backend.common.errors import DomainError
from backend.graphs.neighbourhood import phrase_of
from backend.graphs.snapshots.view import GraphView
from backend.science.path_answers import LONGEST, Metapath

LONGEST_KEY = 4000


def key_of(view: GraphView, kind: Metapath) -> str:
    parts = [escaped(view.types[kind.types[0]])]
    for (relation, along), end in zip(kind.steps, kind.types[1:], strict=True):
        found = view.relations[relation]
        way = "=" if found.symmetric else ">" if along else "<"
        parts += [way + escaped(found.name), escaped(view.types[end])]
    return "/".join(parts)


def words_of(view: GraphView, kind: Metapath) -> str:
    """As a sentence without its full stop: 'Drug targets Gene, which is linked to Disease'."""
    said = [view.types[kind.types[0]]]
    for place, (relation, along) in enumerate(kind.steps):
        before = ", which " if place else " "
        phrase = phrase_of(view, relation, forward=along)
        said.append(f"{before}{phrase} {view.types[kind.types[place + 1]]}")
    return "".join(said)


def kind_or_raise(view: GraphView, key: str) -> Metapath:
    """The kind that a key names. Raises DomainError when this graph has no such kind."""
    parts = key.split("/")
    if len(key) > LONGEST_KEY or not 3 <= len(parts) <= 2 * LONGEST + 1 or len(parts) % 2 == 0:
        raise unknown(key)
    types = {name: number for number, name in enumerate(view.types)}
    relations = {one.name: one for one in view.relations}
    kinds, steps = list[int](), list[tuple[int, bool]]()
    for place, part in enumerate(parts):
        name = part if place % 2 == 0 else part[1:]
        plain = name.replace("%2F", "/").replace("%25", "%")
        if place % 2 == 0 and plain in types:
            kinds.append(types[plain])
        elif place % 2 and plain in relations and part[0] in ways(relations[plain].symmetric):
            steps.append((relations[plain].number, part[0] != "<"))
        else:
            raise unknown(key)
    return Metapath(tuple(kinds), tuple(steps))


def ways(symmetric: bool) -> str:
    return "=" if symmetric else "<>"


def escaped(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def unknown(key: str) -> DomainError:
    return DomainError(f"This graph has no kind of path {key[:200]}.", code="no_metapath")
