"""Statistics of written queries: length, diversity, and entities without a possible query."""

from annotation.kinds.figures import (
    TWO_WAY,
    Figure,
    Section,
    count_figure,
    figure_of,
    study_share,
)
from annotation.kinds.study_table import StudyAnswer, StudyTable
from annotation.kinds.written_queries.measures import word_count
from backend.benchmarks.stark_queries.statistics import QueryRecord, compute_query_statistics
from backend.science.judgements.tables import JudgementTable
from backend.science.judgements.two_way import two_way_mean

DESCRIBES_SET = "This describes the queries as a whole; it grows with their number."
TABLE_4 = "over the words of all queries (Wu et al., 2024, Table 4)"


def query_sections(table: StudyTable, written: str) -> list[Section]:
    """written: the outcome of a query."""
    queries = [one for one in table.answers if one.outcome == written]
    rows = [(one.question, one.rater, one.outcome != written) for one in table.answers]
    share = study_share(table, "impossible_share", "No query possible", rows)
    entities = len({one.question for one in queries})
    figures = (
        count_figure(
            "entities", "Entities with a query", entities, len(table.questions), "entities", "Count"
        ),
        share,
        _length_figure(table, queries),
        *_diversity_figures(queries),
    )
    note = "Words are letters and digits; hyphens and apostrophes join them."
    return [Section("queries", "Queries", figures, note)]


def _length_figure(table: StudyTable, queries: list[StudyAnswer]) -> Figure:
    rows = [(one.question, one.rater, float(word_count(one.payload["query"]))) for one in queries]
    mean = two_way_mean(JudgementTable.of(rows).values, seed=table.seed)
    return figure_of("words", "Words per query", "queries", f"Mean; {TWO_WAY}", mean)


def _diversity_figures(queries: list[StudyAnswer]) -> list[Figure]:
    computed = compute_query_statistics(QueryRecord(one.payload["query"], 1) for one in queries)
    numbers = {
        "shannon_entropy": ("Shannon entropy in bits", computed.shannon_entropy),
        "type_token_ratio": ("Type-token ratio", computed.type_token_ratio),
    }
    return [
        Figure(
            name,
            label,
            value if queries else None,
            len(queries),
            "queries",
            f"{label}, {TABLE_4}",
            reason="" if queries else "There are no queries.",
            interval_reason=DESCRIBES_SET,
        )
        for name, (label, value) in numbers.items()
    ]
