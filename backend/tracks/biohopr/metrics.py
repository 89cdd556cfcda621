"""Metrics of BioHopR as quotients of summed components.

Metrics of the cosine carry the embedder's name, so that figures of two embedders never share a
column.
"""

from collections.abc import Iterator, Sequence

from backend.science.display_ranks import Direction
from backend.tracks.biohopr.scoring import HOPS, MATCH, PLACES, SIMILAR, THRESHOLD
from backend.tracks.metrics import EvaluatedMetric, share_metric

MISSING = "0: wrong, and not adherent."
HOP_NAMES = {1: "1 hop", 2: "2 hops"}


def build_metrics(components: Sequence[str], embedder: str = "") -> tuple[EvaluatedMetric, ...]:
    """embedder: its name, or empty where there is none."""
    build = MetricBuilder(len(components))
    metrics = [*build.of_way(MATCH, MATCH, "", "by name, synonym or identifier"), *build.others()]
    if embedder:
        meaning = f"by a cosine above {THRESHOLD} to a true one ({embedder})"
        metrics += build.of_way(SIMILAR, f"{SIMILAR}_{embedder}", f", {embedder}", meaning)
    return tuple(metrics)


class MetricBuilder:
    def __init__(self, components: int) -> None:
        self._components = components

    def metric(
        self,
        id_: str,
        label: str,
        parts: tuple[str, str],
        description: str,
        section: str,
        direction: Direction = "higher",
    ) -> EvaluatedMetric:
        above, below = (PLACES[part] for part in parts)
        return share_metric(
            id_,
            label,
            [above],
            description,
            below=[below],
            components=self._components,
            unit="percent",
            section=f"BioHopR, section {section}",
            direction=direction,
            ties="Answers cannot tie: the first of several is scored.",
            missing=MISSING if direction == "higher" else "Wrong, so both may be wrong.",
        )

    def of_way(self, way: str, prefix: str, suffix: str, how: str) -> Iterator[EvaluatedMetric]:
        for hops in reversed(HOPS):
            yield self.metric(
                f"{prefix}_hop{hops}",
                f"Accuracy, {HOP_NAMES[hops]}{suffix}",
                (f"{way}_accuracy_hop{hops}", f"single_hop{hops}"),
                f"Share of the {hops}-hop questions whose one answer is right {how}.",
                "4.3",
            )
        yield self.metric(
            f"{prefix}_both_correct",
            f"Both right{suffix}",
            (f"{way}_both_correct", "pairs"),
            f"Share of the 2-hop questions that are right with their partner, {how}.",
            "5, Table 5",
        )
        yield self.metric(
            f"{prefix}_both_wrong",
            f"Both wrong{suffix}",
            (f"{way}_both_wrong", "pairs"),
            f"Share of the 2-hop questions that are wrong with their partner, {how}.",
            "5, Table 5",
            "lower",
        )
        for rate, label, section in (
            ("f1", "F1", "5.5.1"),
            ("precision", "Precision", "5.5.1"),
            ("recall", "Recall", "5.5.1"),
        ):
            for hops in reversed(HOPS):
                yield self.metric(
                    f"{prefix}_{rate}_hop{hops}",
                    f"{label}, {HOP_NAMES[hops]}{suffix}",
                    (f"{way}_{rate}_hop{hops}", f"multiple_hop{hops}"),
                    f"Mean {label} of all answers to a {hops}-hop question, {how}.",
                    section,
                )

    def others(self) -> Iterator[EvaluatedMetric]:
        for hops in reversed(HOPS):
            yield self.metric(
                f"exact_hop{hops}",
                f"Exact, {HOP_NAMES[hops]}",
                (f"exact_accuracy_hop{hops}", f"single_hop{hops}"),
                f"Share of the {hops}-hop questions whose one answer is a true one's name.",
                "4.3",
            )
        yield self.metric(
            "adherence",
            "Adherence",
            ("adherent", "singles"),
            "Share of the single-answer questions that got one answer.",
            "5.4",
        )
