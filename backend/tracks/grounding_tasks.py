"""The two requests to a language model for groundedness: the claims of a rationale, and a verdict.

They end in claims and verdicts, not in predictions of a track.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from backend.tracks.grounding_claims import MOST_CLAIMS, Claim
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    ContextEdge,
    ContextPaper,
    EvidenceItem,
    Judgement,
    Stance,
    Verdict,
)
from backend.tracks.judge_probabilities import (
    find_value,
    list_alternatives,
    token_probabilities,
    token_probability,
)
from backend.tracks.model_tasks import (
    Message,
    ModelTask,
    OutputFault,
    Passage,
    TaskContext,
    TaskOutput,
    load_prompt,
    object_schema,
)
from backend.tracks.prompt_text import cut_text, data_block, data_lines, link_chain
from backend.validation.faults import printable

FOLDER = Path(__file__).parent
MOST_CITED = 10
SENTENCE_CHARACTERS = 800
MOST_UNKNOWN = 0.05  # of the probability of support
LABEL = re.compile(r"\s*\[?(?:P(\d{1,3})\.(\d{1,3})|E(\d{1,3}))\]?\s*", re.IGNORECASE)
STANCES: Mapping[Verdict, Stance] = {
    Verdict.SUPPORTED: "supports",
    Verdict.CONTRADICTED: "contradicts",
}
Text = Annotated[str, Field(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class RationaleText:
    hypothesis: str
    rationale: str


class StatedClaim(TaskOutput):
    quote: Text = ""
    claim: Annotated[str, Field(min_length=1, max_length=1_000)]


class ClaimsOutput(TaskOutput):
    claims: list[StatedClaim]


TEXT = {"type": "string"}
CLAIM_SCHEMA = object_schema({"quote": TEXT, "claim": TEXT})
CLAIMS_SCHEMA = object_schema({"claims": {"type": "array", "items": CLAIM_SCHEMA}})


class ClaimsTask(ModelTask[RationaleText, ClaimsOutput, tuple[Claim, ...]]):
    name = "grounding-claims"
    track = ""
    title = "Claims of a rationale"
    output_schema = ClaimsOutput
    prompt = load_prompt(FOLDER, "grounding-claims")
    max_tokens = 4_096

    def messages(self, item: RationaleText, context: TaskContext) -> Sequence[Message]:
        return self.prompt.fill(
            hypothesis=data_block(item.hypothesis), rationale=data_block(item.rationale)
        )

    def predict(
        self, item: RationaleText, output: ClaimsOutput, context: TaskContext
    ) -> tuple[Claim, ...]:
        """In the order of the answer, each once."""
        if len(output.claims) > MOST_CLAIMS:
            message = f"The answer has {len(output.claims):,} claims; at most {MOST_CLAIMS} count."
            raise OutputFault(message, "too_many_claims")
        places = Places(item.rationale)
        stated = {one.claim.strip(): one.quote for one in reversed(output.claims)}
        texts = dict.fromkeys(one.claim.strip() for one in output.claims)
        return tuple(Claim(text, *places.find(stated[text])) for text in texts if text)

    def schema_for(self, item: RationaleText, context: TaskContext) -> dict[str, Any]:
        return CLAIMS_SCHEMA


class Places:
    """Where the quotes of a rationale are, in order. A repeated quote is its next place in the
    text, or its last one again: of one sentence several claims may be made. Spaces and case may
    differ."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._after = 0
        self._ends: dict[str, int] = {}

    def find(self, quote: str) -> tuple[int, int] | tuple[None, None]:
        words = quote.strip().strip("\"'\u201c\u201d\u2026.").split()
        if not words:
            return None, None
        spaced = r"\s+".join(map(re.escape, words))
        pattern = re.compile(rf"(?<!\w){spaced}(?!\w)", re.IGNORECASE)
        name = " ".join(words).casefold()
        starts = (max(self._after, self._ends.get(name, 0)), self._after, 0)
        match = next((it for one in starts if (it := pattern.search(self._text, one))), None)
        if match is None:
            return None, None
        self._after, self._ends[name] = match.start(), match.end()
        return match.start(), match.end()


@dataclass(frozen=True, slots=True)
class ClaimQuestion:
    claim: str
    context: ClaimContext


class VerdictOutput(TaskOutput):
    evidence: list[Text] = []
    verdict: Literal["supported", "contradicted", "not_enough"]


class VerdictTask(ModelTask[ClaimQuestion, VerdictOutput, Judgement]):
    """The request's context has as many of the item's papers and edges as fit into it."""

    name = "grounding-verdict"
    track = ""
    title = "Verdict on a claim"
    output_schema = VerdictOutput
    prompt = load_prompt(FOLDER, "grounding-verdict")
    max_tokens = 256
    most_listed = MOST_CITED

    def messages(self, item: ClaimQuestion, context: TaskContext) -> Sequence[Message]:
        papers = item.context.papers[: len(context.papers)]
        return self.prompt.fill(
            claim=data_block(item.claim),
            papers=data_lines(describe_papers(papers)),
            edges=data_lines(
                {"label": f"E{place}", "edge": sentence}
                for place, sentence in enumerate(context.link_chains, start=1)
            ),
        )

    def predict(
        self, item: ClaimQuestion, output: VerdictOutput, context: TaskContext
    ) -> Judgement:
        verdict = Verdict(output.verdict)
        if verdict == Verdict.NOT_ENOUGH:
            return Judgement(verdict)
        cited = dict.fromkeys(self._read_labels(item, output, context, STANCES[verdict]))
        if not cited:
            message = "The verdict names no sentence and no edge of those given."
            raise OutputFault(message, "no_evidence")
        return Judgement(verdict, [*cited][:MOST_CITED])

    def _read_labels(
        self, item: ClaimQuestion, output: VerdictOutput, context: TaskContext, stance: Stance
    ) -> Iterator[EvidenceItem]:
        for text in output.evidence:
            match = LABEL.fullmatch(text)
            if match is None:
                given = printable(text)
                raise OutputFault(f"“{given}” is no label of a sentence or edge.", "no_label")
            paper, sentence, edge = (int(one) if one else 0 for one in match.groups())
            if 0 < edge <= len(context.link_chains):
                yield EvidenceItem(stance, edge=edge - 1)
            elif 0 < paper <= len(context.papers):
                count = len(item.context.papers[paper - 1].sentences)
                if 0 < sentence <= count:
                    yield EvidenceItem(stance, paper=paper - 1, sentence=sentence - 1)

    def schema_for(self, item: ClaimQuestion, context: TaskContext) -> dict[str, Any]:
        label = {**TEXT, "enum": [*list_labels(item, context)]}
        verdict = {**TEXT, "enum": [*Verdict]}
        return object_schema({"evidence": {"type": "array", "items": label}, "verdict": verdict})


def list_labels(item: ClaimQuestion, context: TaskContext) -> Iterator[str]:
    """Of the sentences and edges that a request states; without any there is no request."""
    for number, paper in enumerate(item.context.papers[: len(context.papers)], start=1):
        yield from (f"P{number}.{place}" for place in range(1, len(paper.sentences) + 1))
    yield from (f"E{place}" for place in range(1, len(context.link_chains) + 1))


def task_context(context: ClaimContext) -> TaskContext:
    """What the request may have to shorten: papers from the last on, then edges."""
    return TaskContext(
        link_chains=[*map(describe_edge, context.edges)],
        papers=[Passage(one.id, one.title, "") for one in context.papers],
    )


def describe_edge(edge: ContextEdge) -> str:
    ends = [(edge.source.name, edge.source.type), (edge.target.name, edge.target.type)]
    return link_chain(ends, [edge.forward])


def describe_papers(papers: Sequence[ContextPaper]) -> Iterator[Mapping[str, str]]:
    for number, paper in enumerate(papers, start=1):
        yield {
            f"P{number}.{place}": cut_text(sentence, SENTENCE_CHARACTERS)
            for place, sentence in enumerate(paper.sentences, start=1)
        }


def read_probabilities(
    logprobs: Sequence[Mapping[str, Any]] | None, verdict: Verdict
) -> tuple[float | None, float | None]:
    """Of the verdict, and of 'supported', given what the model wrote before: of the token in which
    the word begins, as the words of the verdicts differ from their first letter on.

    None where the tokens are not those of the answer. That of 'supported' is the sum over the
    written and the likeliest tokens that begin it, whatever the verdict; None where the tokens
    whose probability is not stated could add more than 0.05 to it.
    """
    place = find_value(logprobs or (), rf'"verdict"\s*:\s*"(?={verdict}")')
    if place is None:
        return None, None
    token = place[0]
    stated = token_probabilities([token, *list_alternatives(token)])
    unknown = 1.0 - math.fsum(stated.values())
    support = math.fsum(part for text, part in stated.items() if _begins(text, Verdict.SUPPORTED))
    return token_probability(token), min(support, 1.0) if unknown <= MOST_UNKNOWN else None


def _begins(text: str, verdict: Verdict) -> bool:
    word = text.strip(' \t\r\n":').lower()
    return bool(word) and (verdict.startswith(word) or word.startswith(verdict))


CLAIMS_TASK, VERDICT_TASK = ClaimsTask(), VerdictTask()
GROUNDING_TASKS = (CLAIMS_TASK, VERDICT_TASK)
