"""A language model orders the first twenty entities of a search: one task for each STaRK track."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from backend.runtime.normal_form import normalize
from backend.tracks.model_tasks import (
    CandidateText,
    ContextKind,
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines
from backend.tracks.stark_rows import READ_IDS, QueryItem, RankedPrediction, normalize_ids

MOST_RANKED = 20  # the paper's v
TEXT_CHARACTERS = 1_200
"""Of a candidate's text: its beginning, up to a space. Texts begin with what an entity is."""
SEPARATOR = re.compile(r"[\s,;>\[\]\"'`]+")


def numbers_as_text(value: object) -> object:
    """Node numbers are written as numbers too; `true` is none."""
    if not isinstance(value, list):
        return value
    return [str(one) if type(one) is int else one for one in value]


class RankingOutput(TaskOutput):
    ranking: Annotated[
        list[str],
        BeforeValidator(numbers_as_text),
        Field(description="Identifiers of candidates, the best answer first, each once."),
    ]


class RerankTask(ModelTask[QueryItem, RankingOutput, RankedPrediction]):
    """domain: what the knowledge base is about, as the prompt states it.

    The context has the candidates in the order of the first search. Those after the twentieth are
    not shown to the model, and stay behind.
    """

    title = "Order the first twenty"
    needs = frozenset({ContextKind.CANDIDATES})
    output_schema = RankingOutput
    prompt = load_prompt(Path(__file__).parent, "stark-rerank")
    max_tokens = 512
    domain: ClassVar[str]

    def messages(self, item: QueryItem, context: TaskContext) -> Sequence[Message]:
        shown = map(describe_candidate, context.candidates[:MOST_RANKED])
        return self.prompt.fill(
            domain=self.domain, query=data_block(item.query), candidates=data_lines(shown)
        )

    def predict(
        self, item: QueryItem, output: RankingOutput, context: TaskContext
    ) -> RankedPrediction:
        """Candidates that the model leaves out follow in the order of the first search.

        Raises OutputFault where it names none: the order would be of the first search alone.
        """
        shown = context.candidates[:MOST_RANKED]
        first = [*dict.fromkeys(find_candidates(output.ranking, shown))]
        if not first:
            raise OutputFault("The answer names none of the candidates.", "no_candidates")
        rest = (one.id for one in context.candidates)
        ids = normalize_ids([*dict.fromkeys([*first, *rest])])
        return RankedPrediction(item.query_id, ids[:READ_IDS])

    def read_plain_text(
        self, item: QueryItem, text: str, context: TaskContext
    ) -> RankingOutput | None:
        """Identifiers and separators alone."""
        known = {one.id for one in context.candidates[:MOST_RANKED]}
        words = [word for word in SEPARATOR.split(text) if word]
        return RankingOutput(ranking=words) if words and known.issuperset(words) else None

    def has_longer_texts(self, context: TaskContext) -> bool:
        shown = context.candidates[:MOST_RANKED]
        return any(len(one.text) > TEXT_CHARACTERS for one in shown)

    def schema_for(self, item: QueryItem, context: TaskContext) -> dict[str, Any]:
        ids = [one.id for one in context.candidates[:MOST_RANKED]]
        if not ids:  # an empty enumeration is no valid schema
            return self._schema
        ranking = self._schema["properties"]["ranking"]
        ranking = {**ranking, "items": {"type": "string", "enum": ids}}
        return {**self._schema, "properties": {"ranking": ranking}}


def describe_candidate(candidate: CandidateText) -> dict[str, str]:
    text = cut_text(candidate.text, TEXT_CHARACTERS)
    return {"id": candidate.id, "name": candidate.name, "type": candidate.type, "text": text}


def find_candidates(given: Iterable[str], shown: Sequence[CandidateText]) -> Iterable[str]:
    """The identifiers meant: by identifier, else by a name that one candidate alone has."""
    ids = {one.id for one in shown}
    names: dict[str, set[str]] = {}
    for one in shown:
        names.setdefault(normalize(one.name), set()).add(one.id)
    for text in given:
        named = names.get(normalize(text), set()) if normalize(text) else set()
        if text.strip() in ids:
            yield text.strip()
        elif len(named) == 1:
            yield from named
