"""TruthHypo's four settings: what a model knows, with the graph, with papers, and with both."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from backend.tracks.label_texts import find_only_label, match_label
from backend.tracks.model_tasks import (
    ContextKind,
    Message,
    ModelTask,
    OutputFault,
    Passage,
    TaskContext,
    TaskOutput,
    load_prompt,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines
from backend.tracks.truthhypo.track import LONGEST_RATIONALE, LabelPrediction, PairItem
from backend.validation.faults import printable
from backend.validation.json_files import UNSTORABLE

FOLDER = Path(__file__).parent
MOST_PAPERS = 32  # the paper's k for hypotheses
MOST_CHAINS = 100  # the paper's limit on edges
ABSTRACT_CHARACTERS = 1_500


class HypothesisOutput(TaskOutput):
    rationale: Annotated[
        str, Field(description="Two or three short sentences that lead to the label.")
    ] = ""
    label: Annotated[str, Field(description="The relation that you hypothesize.")]


class HypothesisTask(ModelTask[PairItem, HypothesisOutput, LabelPrediction]):
    track = "truthhypo"
    output_schema = HypothesisOutput
    max_tokens = 512

    def messages(self, item: PairItem, context: TaskContext) -> Sequence[Message]:
        values = {
            "pair": data_block(
                {
                    "first": {"id": item.x_id, "type": item.x_type},
                    "second": {"id": item.y_id, "type": item.y_type},
                    "question": item.question,
                }
            ),
            "labels": data_block(list(item.labels)),
            "chains": data_lines(context.link_chains[:MOST_CHAINS]),
            "papers": data_lines(map(describe_paper, context.papers[:MOST_PAPERS])),
        }
        return self.prompt.fill(**values)

    def predict(
        self, item: PairItem, output: HypothesisOutput, context: TaskContext
    ) -> LabelPrediction:
        label = match_label(output.label, item.labels)
        if label is None:
            given = printable(output.label)
            message = f"“{given}” is not a label of this pair."
            raise OutputFault(message, "unknown_label")
        return LabelPrediction(item.x_id, item.y_id, label, storable_rationale(output.rationale))

    def read_plain_text(
        self, item: PairItem, text: str, context: TaskContext
    ) -> HypothesisOutput | None:
        label = find_only_label(text, item.labels)
        return None if label is None else HypothesisOutput(rationale=text, label=label)

    def has_longer_texts(self, context: TaskContext) -> bool:
        shown = context.papers[:MOST_PAPERS]
        return any(len(one.text) > ABSTRACT_CHARACTERS for one in shown)

    def schema_for(self, item: PairItem, context: TaskContext) -> dict[str, Any]:
        return enumerate_labels(self._schema, item.labels)


def enumerate_labels(schema: dict[str, Any], labels: Sequence[str]) -> dict[str, Any]:
    """All fields are required, so that models which must follow the schema give reasons first."""
    properties = schema["properties"]
    label = {**properties["label"], "enum": list(labels)}
    rationale = {
        name: value for name, value in properties["rationale"].items() if name != "default"
    }
    fields = {"rationale": rationale, "label": label}
    return {**schema, "properties": fields, "required": [*fields]}


def storable_rationale(text: str) -> str:
    """As a file of predictions takes it: a model may write more, or signs that no file holds."""
    return UNSTORABLE.sub("", text)[:LONGEST_RATIONALE]


def describe_paper(paper: Passage) -> dict[str, str]:
    text = cut_text(paper.text, ABSTRACT_CHARACTERS)
    return {"id": paper.id, "title": paper.title, "abstract": text}


class Parametric(HypothesisTask):
    name = "truthhypo-parametric"
    title = "What the model knows"
    prompt = load_prompt(FOLDER, "truthhypo-parametric")


class WithGraph(HypothesisTask):
    name = "truthhypo-graph"
    title = "With link chains of the graph"
    needs = frozenset({ContextKind.LINK_CHAINS})
    prompt = load_prompt(FOLDER, "truthhypo-graph")


class WithLiterature(HypothesisTask):
    name = "truthhypo-literature"
    title = "With 32 papers"
    needs = frozenset({ContextKind.PAPERS})
    prompt = load_prompt(FOLDER, "truthhypo-literature")


class WithGraphAndLiterature(HypothesisTask):
    name = "truthhypo-graph-literature"
    title = "With link chains and 32 papers"
    needs = frozenset({ContextKind.LINK_CHAINS, ContextKind.PAPERS})
    prompt = load_prompt(FOLDER, "truthhypo-graph-literature")


MODEL_TASKS = [Parametric(), WithGraph(), WithLiterature(), WithGraphAndLiterature()]
