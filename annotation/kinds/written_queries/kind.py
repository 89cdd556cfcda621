"""Written queries: experts write a query that an entity answers, without its name (STaRK, 2.6)."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.kinds.base import InvalidPayload, Outcome, Payload, SimulatedAnswer, StudyKind
from annotation.kinds.figures import Section
from annotation.kinds.items import Presentation, base_fields
from annotation.kinds.measures import Measure, share_of
from annotation.kinds.passages import show_documents, show_edges
from annotation.kinds.study_table import StudyTable
from annotation.kinds.written_queries.measures import measure_queries, word_count
from annotation.kinds.written_queries.schema import (
    WrittenQueryAnswer,
    WrittenQueryEntry,
    WrittenQueryItem,
)
from annotation.kinds.written_queries.simulate import simulate_query
from annotation.kinds.written_queries.statistics import query_sections
from backend.benchmarks.models import Question
from backend.validation.faults import Fault

WRITTEN, IMPOSSIBLE = "written", "impossible"
MAX_SHOWN_LEAKS = 3


class WrittenQueriesKind(StudyKind[WrittenQueryItem, WrittenQueryAnswer]):
    name = "written_queries"
    title = "Written queries"
    question_schema = WrittenQueryEntry
    item_schema = WrittenQueryItem
    answer_schema = WrittenQueryAnswer
    outcomes = (
        Outcome(WRITTEN, "Written"),
        Outcome(IMPOSSIBLE, "Not possible", is_measured=False),
    )
    activity_kinds = ("wrote", "gave_up", "comment")
    csv_item_columns = ("answer", "answer_id")
    csv_answer_columns = ("query", "words", "comment")
    column_types = {"words": int}

    def build_item(self, question: Question, shown: Presentation) -> WrittenQueryItem:
        payload = question.payload
        return WrittenQueryItem(
            **base_fields(question),
            answer=payload["answer"],
            synonyms=payload["synonyms"],
            identifiers=payload["identifiers"],
            documents=show_documents(payload["documents"]),
            edges=show_edges(payload["edges"]),
        )

    def initial_answer(self, item: WrittenQueryItem) -> WrittenQueryAnswer:
        return WrittenQueryAnswer(query="", is_impossible=False, comment="")

    def outcome(self, answer: WrittenQueryAnswer, item: WrittenQueryItem) -> str:
        if answer.is_impossible:
            return IMPOSSIBLE
        if not answer.query.strip():
            fault = Fault("payload.query", "There is no query.", "no_query", "a query")
            raise InvalidPayload("Write a query, or state that none is possible.", faults=[fault])
        leaks = item.leaks_of(answer.query)
        if leaks:
            named = ", ".join(f"'{one}'" for one in leaks[:MAX_SHOWN_LEAKS])
            message = f"The query contains {named}."
            fault = Fault("payload.query", message, "names_answer", "a query without the name")
            raise InvalidPayload(
                "The query names its answer. Describe it without its names and identifiers.",
                faults=[fault],
            )
        return WRITTEN

    def agreement(self, answers: Sequence[Sequence[Payload]], *, seed: int) -> list[Measure]:
        """Queries can all differ and be right: only their length is measured."""
        return measure_queries(answers)

    def compare(
        self, item: WrittenQueryItem, own: Payload | None, others: Sequence[Payload]
    ) -> str:
        queries = [f"“{one['query'].strip()}”" for one in others]
        return f"Others wrote: {', '.join(queries)}." if queries else ""

    def statistics(self, table: StudyTable) -> list[Section]:
        return query_sections(table, WRITTEN)

    def shares(self, counts: Mapping[str, int]) -> list[Measure]:
        answered = sum(counts[one.name] for one in self.outcomes)
        return [
            share_of(f"{one.name}_share", one.label, counts[one.name], answered)
            for one in self.outcomes
        ]

    def comment(self, payload: Payload) -> str:
        return str(payload["comment"])

    def read_known_answer(
        self, item: WrittenQueryItem, content: Mapping[str, Any]
    ) -> WrittenQueryAnswer:
        """No query is the right one."""
        fault = Fault("payload", "A written query has no known answer.", "no_known", "no answer")
        raise InvalidPayload("Questions of written queries have no known answers.", faults=[fault])

    def csv_rows(
        self, item: WrittenQueryItem, payload: Payload | None, outcome: str
    ) -> list[dict[str, Any]]:
        """One row. words: of the query, None where there is none."""
        query = payload["query"] if payload and outcome != IMPOSSIBLE else ""
        return [
            {
                "answer": item.answer,
                "answer_id": item.identifiers[0],
                "query": query,
                "words": word_count(query) if query else None,
                "comment": payload["comment"] if payload else "",
            }
        ]

    def simulate(self, item: WrittenQueryItem, expert: int) -> SimulatedAnswer:
        return simulate_query(expert, item)


KIND = WrittenQueriesKind()
