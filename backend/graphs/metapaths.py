"""Metapaths as sentences, and as keys that are stable across versions of a graph.

A key lists types and relations alternately, separated by slashes. A relation is preceded by '>'
if it is walked along its edges, '<' against them, '=' if it is symmetric:
Drug/>targets/Gene/=interacts with/Gene. A slash in a name is written %2F, a percent sign %25.
"""

from backend.common.errors import DomainError
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.snapshots.graph_view import GraphView
from backend.science.path_answers import MAX_HOPS, Metapath

MAX_KEY_LENGTH = 4000


def metapath_key(view: GraphView, kind: Metapath) -> str:
    parts = [escape_name(view.types[kind.types[0]])]
    for (relation, along), end in zip(kind.steps, kind.types[1:], strict=True):
        info = view.relations[relation]
        way = "=" if info.symmetric else ">" if along else "<"
        parts += [way + escape_name(info.name), escape_name(view.types[end])]
    return "/".join(parts)


def describe_metapath(view: GraphView, kind: Metapath) -> str:
    """Write a metapath as words: 'Drug targets Gene, which is linked to Disease'."""
    parts = [view.types[kind.types[0]]]
    for place, (relation, along) in enumerate(kind.steps):
        before = ", which " if place else " "
        phrase = relation_phrase(view, relation, forward=along)
        parts.append(f"{before}{phrase} {view.types[kind.types[place + 1]]}")
    return "".join(parts)


def parse_metapath(view: GraphView, key: str) -> Metapath:
    """Parse a key. Raises DomainError if the graph lacks one of its types or relations."""
    parts = key.split("/")
    if len(key) > MAX_KEY_LENGTH or not 3 <= len(parts) <= 2 * MAX_HOPS + 1 or len(parts) % 2 == 0:
        raise unknown_metapath_error(key)
    types = {name: number for number, name in enumerate(view.types)}
    relations = {one.name: one for one in view.relations}
    kinds, steps = list[int](), list[tuple[int, bool]]()
    for place, part in enumerate(parts):
        name = part if place % 2 == 0 else part[1:]
        plain = name.replace("%2F", "/").replace("%25", "%")
        if place % 2 == 0 and plain in types:
            kinds.append(types[plain])
        elif (
            place % 2
            and plain in relations
            and part[0] in ("=" if relations[plain].symmetric else "<>")
        ):
            steps.append((relations[plain].number, part[0] != "<"))
        else:
            raise unknown_metapath_error(key)
    return Metapath(tuple(kinds), tuple(steps))


def escape_name(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def unknown_metapath_error(key: str) -> DomainError:
    return DomainError(
        f"This graph has no metapath {key[:200]}. Check its types and relations.",
        code="no_metapath",
    )
