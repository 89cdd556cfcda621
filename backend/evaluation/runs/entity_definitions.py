"""What the graph's documents state about both entities of a pair.

None under a cut-off: when a document was written is not known.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from backend.evaluation.runs.context_request import ContextRequest, ContextSource, missing_graph
from backend.tracks.model_tasks import Passage, TaskContext


class EntityDefinitions(ContextSource):
    @classmethod
    def find_missing(cls, request: ContextRequest) -> str:
        if reason := missing_graph(request):
            return reason
        if request.cutoff is None:
            return ""
        return "Documents have no dates, so none is read under the cut-off of this release."

    def add_to(self, context: TaskContext, item: Any) -> TaskContext:
        return replace(context, definitions=tuple(self._definitions(item.subject, item.object)))

    def _definitions(self, *identifiers: str) -> Iterator[Passage]:
        """Of entities with a document."""
        for identifier in identifiers:
            number = self.request.graph.find_number(identifier)
            sections = self.request.view.document(number) if number >= 0 else ()
            if text := "\n".join(f"{one.title}: {one.text}" for one in sections):
                name = self.request.snapshot.entity_summary(number).name
                yield Passage(identifier, name, text)
