"""How often a verifier is right about claims whose truth is known, and what its verdicts mean."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from backend.evaluation.grounding.annotated_claims import AnnotatedClaim
from backend.evaluation.grounding.context import Knowledge
from backend.evaluation.grounding.shares import Share
from backend.evaluation.grounding.verifiers import ClaimVerifier
from backend.science.judgements.kappa import cohen_kappa
from backend.science.optional_statistic import Reason
from backend.tracks.grounding_verdicts import ClaimContext, EvidenceSource, Judgement, Verdict

SEED = 1
CONFIDENCE_BINS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """has_evidence: whether the verifier was given what decides the claim; None where this source
    has nothing that does.
    """

    claim: AnnotatedClaim
    judgement: Judgement
    has_evidence: bool | None = None

    @property
    def is_supported(self) -> bool:
        return self.judgement.verdict == Verdict.SUPPORTED

    @property
    def is_right(self) -> bool:
        """As in the paper a claim is supported or not: not enough counts as not."""
        return self.is_supported == self.claim.is_true


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's, of support and truth. The interval draws claims."""

    value: float | None
    low: float | None
    high: float | None
    reason: Reason | None


@dataclass(frozen=True, slots=True)
class ConfidenceBin:
    """Verdicts for or against a claim whose stated probability is above low and at most high (the
    first bin has 0): right where the claim is true or false accordingly.
    """

    low: float
    high: float
    mean: float
    right: Share


@dataclass(frozen=True)
class VerifierAccuracy:
    """Of one source of evidence."""

    judged: Sequence[JudgedClaim]

    @property
    def accuracy(self) -> Share:
        return Share(sum(one.is_right for one in self.judged), len(self.judged))

    @property
    def kappa(self) -> Kappa:
        truth = [float(one.claim.is_true) for one in self.judged]
        support = [float(one.is_supported) for one in self.judged]
        statistic = cohen_kappa(truth, support, seed=SEED, categories=[0.0, 1.0])
        return Kappa(statistic.value, statistic.low, statistic.high, statistic.reason)

    @property
    def reached(self) -> Share:
        """Claims whose deciding edge or paper was in the context, of those that the source decides.

        The others are lost before the verifier: by the linker, or by the limits of the context.
        """
        decided = [one.has_evidence for one in self.judged if one.has_evidence is not None]
        return Share(sum(decided), len(decided))

    @property
    def accuracy_if_reached(self) -> Share:
        given = [one for one in self.judged if one.has_evidence]
        return Share(sum(one.is_right for one in given), len(given))

    @property
    def faults(self) -> int:
        return sum(bool(one.judgement.fault) for one in self.judged)

    @property
    def confusion(self) -> dict[bool, Counter[Verdict]]:
        """Verdicts by truth."""
        result: dict[bool, Counter[Verdict]] = {True: Counter(), False: Counter()}
        for one in self.judged:
            result[one.claim.is_true][one.judgement.verdict] += 1
        return result

    def truth_of(self, verdict: Verdict) -> Share:
        """The share of true claims among those with this verdict."""
        truths = [one.claim.is_true for one in self.judged if one.judgement.verdict == verdict]
        return Share(sum(truths), len(truths))

    def by(self, group: Callable[[AnnotatedClaim], str]) -> dict[str, "VerifierAccuracy"]:
        groups = dict.fromkeys(sorted(group(one.claim) for one in self.judged))
        return {
            name: VerifierAccuracy([one for one in self.judged if group(one.claim) == name])
            for name in groups
        }

    def confidence_bins(self) -> Iterator[ConfidenceBin]:
        """None of a verifier that states no probabilities."""
        stated = [
            (one.judgement.probability, one.is_right)
            for one in self.judged
            if one.judgement.probability is not None and one.judgement.verdict != Verdict.NOT_ENOUGH
        ]
        for low, high in pairwise(CONFIDENCE_BINS):
            inside = [it for it in stated if low < it[0] <= high or it[0] == low == 0]
            if inside:
                right = Share(sum(is_right for _, is_right in inside), len(inside))
                yield ConfidenceBin(low, high, sum(it[0] for it in inside) / len(inside), right)


def judge_annotated_claims(
    claims: Sequence[AnnotatedClaim],
    knowledge: Knowledge,
    verifier: ClaimVerifier,
    sources: Sequence[EvidenceSource],
) -> dict[EvidenceSource, VerifierAccuracy]:
    questions = [(one.text, knowledge.find_context(one.text).context) for one in claims]
    judged = verifier.judge_claims(questions, sources)
    every = [
        (claim, its, context)
        for claim, its, (_, context) in zip(claims, judged, questions, strict=True)
    ]
    return {
        source: VerifierAccuracy(
            [
                JudgedClaim(claim, its[source], has_evidence_of(claim, context, source))
                for claim, its, context in every
            ]
        )
        for source in sources
    }


def has_evidence_of(
    claim: AnnotatedClaim, context: ClaimContext, source: EvidenceSource
) -> bool | None:
    """As in JudgedClaim."""
    given = context.of(source)
    edges = {(one.source.id, one.relation, one.target.id) for one in given.edges}
    papers = {one.id for one in given.papers}
    deciding: list[bool] = []
    if source != EvidenceSource.LITERATURE:
        deciding += [(one.source, one.relation, one.target) in edges for one in claim.edges]
    if source != EvidenceSource.GRAPH:
        deciding += [key in papers for key in claim.papers]
    return any(deciding) if deciding else None
