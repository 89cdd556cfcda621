"""Questions in words, from the phrases of the relations read from the answer's side."""

from backend.benchmarks.question_text import type_words
from backend.graphs.edge_phrases import relation_phrase
from backend.graphs.snapshots.snapshot import Snapshot
from backend.science.path_answers import Metapath
from backend.tracks.biohopr.rows import MULTIPLE, SINGLE, Form

REQUESTS: dict[Form, str] = {SINGLE: "Name one", MULTIPLE: "Name every"}


def write_question(graph: Snapshot, metapath: Metapath, form: Form, name: str) -> str:
    """'Name one disease that is treated by some drug that inhibits HMGCR.'

    'Some' and 'one' fit every type, where an article would not.
    """
    described = name
    for place, (relation, is_along) in enumerate(metapath.steps):
        phrase = relation_phrase(graph, relation, forward=not is_along)
        described = f"{phrase} {described}"
        kind = type_words(graph.types[metapath.types[place + 1]])
        is_last = place == len(metapath.steps) - 1
        described = f"{REQUESTS[form] if is_last else 'some'} {kind} that {described}"
    return f"{described}."
