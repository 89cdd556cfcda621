"""What is known of entities, as models read it."""

from backend.benchmarks.stark_queries.leaks import names_of_answer
from backend.graphs.snapshots.graph_view import GraphView
from backend.runtime.sentences import split_sentences
from backend.tracks.synthesis_tasks import cut_sentences


def document_sentences(view: GraphView, number: int) -> list[str]:
    return cut_sentences(
        sentence for section in view.document(number) for sentence in split_sentences(section.text)
    )


def answer_names(view: GraphView, number: int) -> list[str]:
    """Names, synonyms and identifiers, which no query may contain."""
    entity = view.entity(number)
    return [*names_of_answer(entity.name, entity.synonyms, (entity.id, *entity.xrefs))]
