"""Pattern as a question in plain words, from a graph's names: 'Which gene is expressed in {1}?'"""

from collections.abc import Iterable

from backend.graphs.snapshots.graph_view import GraphView
from backend.tracks.serenqa_patterns import Pattern, PatternEdge, PatternNode


def pattern_to_text(view: GraphView, pattern: Pattern) -> str:
    """{1} stands for the name of node 1.

    Every relation needs its phrases. Types and names are used without articles, since no article
    fits every name.
    """
    phrases = {one.name: (one.forward, one.backward) for one in view.relations}

    def clause(node: PatternNode, edges: Iterable[PatternEdge]) -> str:
        """The phrases of a node's edges, shortest first."""
        label = []
        for edge in edges:
            far = pattern.by_nid[edge.other(node.nid)]
            phrase = escape_braces(phrases[edge.relation][edge.end == node.nid])
            if edge.is_negated:
                far_name = f"any {type_label(far)}" if far.is_variable else thing(far, edge)
                label.append(f"never {phrase} {far_name}")
            else:
                label.append(f"{phrase} {thing(far, edge)}")
        return " and ".join(sorted(label, key=len))

    def thing(node: PatternNode, came: PatternEdge) -> str:
        behind = [edge for edge in pattern.edges_at(node.nid) if edge != came]
        if node.is_target or any(pattern.by_nid[edge.other(node.nid)].is_target for edge in behind):
            behind = []  # the other half of a ring is described at its own target
        if node.is_variable:
            return f"some {type_label(node)} that {clause(node, behind)}"
        name = f"{{{node.nid}}}"
        return f"{name} (which {clause(node, behind)})" if behind else name

    query = (
        f"which {type_label(node)} {clause(node, pattern.edges_at(node.nid))}"
        for node in pattern.targets
    )
    text = ", and ".join(query)
    return f"{text[0].upper()}{text[1:]}?"


def type_label(node: PatternNode) -> str:
    return type_words(escape_braces(node.type))


def type_words(type_: str) -> str:
    """'Biological Process' in lower case; 'RNA' and 'PharmClass' as they are."""
    return " ".join(word.lower() if word.istitle() else word for word in type_.split(" "))


def escape_braces(text: str) -> str:
    """Escape braces, which mark the places of names."""
    return text.replace("{", "{{").replace("}", "}}")
