"""SerenQA's first task: a question in words becomes a Cypher query of the graph in view."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field

from backend.tracks.model_tasks import (
    ContextKind,
    Message,
    ModelTask,
    OutputFault,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import data_block
from backend.tracks.serenqa_retrieval.rows import (
    MOST_CHARACTERS,
    NOT_TEXT,
    QuestionItem,
    RetrievalPrediction,
)

FENCE = re.compile(r"```[ \t]*(?P<language>\w*)[ \t]*\n(?P<body>.*?)(?:\n[ \t]*)?```", re.DOTALL)
QUERY = re.compile(r"(?:OPTIONAL\s+MATCH|MATCH|UNWIND|WITH|RETURN)\b", re.IGNORECASE)


class QueryText(TaskOutput):
    cypher: Annotated[str, Field(description="One Cypher query that only reads the graph.")]


class RetrievalQuery(ModelTask[QuestionItem, QueryText, RetrievalPrediction]):
    name = "serenqa-retrieval-query"
    track = "serenqa-retrieval"
    title = "Question to Cypher"
    needs = frozenset({ContextKind.GRAPH_SCHEMA})
    output_schema = QueryText
    prompt = load_prompt(Path(__file__).parent, "serenqa-retrieval-query")
    max_tokens = 512
    longest_text = 480  # small models repeat single characters: these end within max_tokens

    def messages(self, item: QuestionItem, context: TaskContext) -> Sequence[Message]:
        schema = data_block(context.graph_schema.splitlines())
        return self.prompt.fill(schema=schema, question=data_block(item.question))

    def predict(
        self, item: QuestionItem, output: QueryText, context: TaskContext
    ) -> RetrievalPrediction:
        """Whether the query runs is the evaluator's to find out: that is a metric."""
        query = unfence(output.cypher).strip()
        if not query:
            raise OutputFault("The query is empty.", "empty_query")
        if len(query) > MOST_CHARACTERS:
            message = f"The query has more than {MOST_CHARACTERS:,} characters."
            raise OutputFault(message, "query_too_long")
        if NOT_TEXT.search(query):
            raise OutputFault("The query has a character that is no text.", "query_not_text")
        return RetrievalPrediction(item.question_id, cypher=query)

    def read_plain_text(
        self, item: QuestionItem, text: str, context: TaskContext
    ) -> QueryText | None:
        """The only block of code, or a text that is nothing but a query."""
        blocks = [one["body"].strip() for one in FENCE.finditer(text)]
        bodies = blocks or ([text.strip()] if "```" not in text else [])
        is_query = len(bodies) == 1 and QUERY.match(bodies[0]) and "\n\n" not in bodies[0]
        return QueryText(cypher=bodies[0]) if is_query else None


def unfence(query: str) -> str:
    whole = FENCE.fullmatch(query.strip())
    return whole["body"] if whole else query


MODEL_TASKS = [RetrievalQuery()]
