"""What each metric measures and which way is better, written from the papers themselves."""

from dataclasses import dataclass

from backend.science.standings import Direction


@dataclass(frozen=True)
class Unit:
    """What a number counts in: the word in a column's head, and the limits it cannot leave."""

    id: str
    words: str
    low: float
    high: float


@dataclass(frozen=True)
class Metric:
    """What is measured; `direction` is None where neither high nor low is better."""

    id: str
    label: str
    direction: Direction | None
    unit: Unit
    about: str
    section: str


PERCENT = Unit("percent", "%", 0, 100)
FRACTION = Unit("fraction", "0 to 1", 0, 1)
SCORE = Unit("score_1_5", "1 to 5", 1, 5)
SECONDS = Unit("seconds", "seconds", 0, float("inf"))
CORRELATION = Unit("correlation", "\N{MINUS SIGN}1 to 1", -1, 1)

_METRICS = (
    Metric(
        "hit",
        "Hit rate",
        "higher",
        PERCENT,
        "Answers both returned and true, as a share: the paper leaves open whether of the returned "
        "or of the true ones.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "f1",
        "F1",
        "higher",
        PERCENT,
        "Harmonic mean of precision and recall of the returned answers.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "executability",
        "Executability",
        "higher",
        PERCENT,
        "Share of the generated queries that ran without an error.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "faithfulness",
        "Faithfulness",
        "higher",
        SCORE,
        "Factual accuracy of the summary, judged by a language model.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "comprehensiveness",
        "Comprehensiveness",
        "higher",
        SCORE,
        "How much of the graph's key elements the summary covers, judged by a language model.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "seren_cov",
        "SerenCov",
        "higher",
        FRACTION,
        "Share of the paths to serendipitous answers that the summary mentions.",
        "SerenQA, section 6.1",
    ),
    Metric(
        "relevance",
        "Relevance",
        "higher",
        SCORE,
        "How close the found entities are to the serendipity set, judged by a language model.",
        "SerenQA, section E.1",
    ),
    Metric(
        "type_match",
        "TypeMatch",
        "higher",
        FRACTION,
        "Share of the questions for which a found entity has the type of a true answer.",
        "SerenQA, section E.1",
    ),
    Metric(
        "seren_hit",
        "SerenHit",
        "higher",
        FRACTION,
        "Share of the questions for which a found entity is in the serendipity set.",
        "SerenQA, section E.1",
    ),
    Metric(
        "link_f1",
        "Link F1",
        "higher",
        PERCENT,
        "Harmonic mean of precision and recall of hypothesised links, whatever their type.",
        "TruthHypo, section 2.3",
    ),
    Metric(
        "link_precision",
        "Link precision",
        "higher",
        PERCENT,
        "Share of the hypothesised links that are true.",
        "TruthHypo, section 2.3",
    ),
    Metric(
        "link_recall",
        "Link recall",
        "higher",
        PERCENT,
        "Share of the true links that were hypothesised.",
        "TruthHypo, section 2.3",
    ),
    Metric(
        "relation_accuracy",
        "Accuracy",
        "higher",
        PERCENT,
        "Share of the hypotheses with the right type of relation, or rightly none.",
        "TruthHypo, section 2.3",
    ),
    Metric(
        "groundedness_kg",
        "Grounded in graph",
        "higher",
        PERCENT,
        "Share of the rationale's claims that the knowledge graph supports.",
        "TruthHypo, section 3",
    ),
    Metric(
        "groundedness_lit",
        "Grounded in literature",
        "higher",
        PERCENT,
        "Share of the rationale's claims that the literature supports.",
        "TruthHypo, section 3",
    ),
    Metric(
        "groundedness_kg_lit",
        "Grounded in either",
        "higher",
        PERCENT,
        "Share of the rationale's claims that graph and literature together support.",
        "TruthHypo, section 3",
    ),
    Metric(
        "hit@1",
        "Hit@1",
        "higher",
        FRACTION,
        "Share of the questions whose first result is a true answer.",
        "STaRK, section 3.2",
    ),
    Metric(
        "hit@5",
        "Hit@5",
        "higher",
        FRACTION,
        "Share of the questions with a true answer among the first five results.",
        "STaRK, section 3.2",
    ),
    Metric(
        "recall@20",
        "Recall@20",
        "higher",
        FRACTION,
        "Share of the true answers that are among the first twenty results.",
        "STaRK, section 3.2",
    ),
    Metric(
        "mrr",
        "MRR",
        "higher",
        FRACTION,
        "Mean of one over the rank of the first true answer.",
        "STaRK, section 3.2",
    ),
    Metric(
        "latency",
        "Latency",
        "lower",
        SECONDS,
        "Average time to answer one question on one NVIDIA A100.",
        "STaRK, section 3.3",
    ),
    Metric(
        "roc_auc",
        "ROC AUC",
        "higher",
        FRACTION,
        "Chance that a true link is scored above a random one; 0.5 is guessing.",
        "Dyport, section 6.2.1",
    ),
    Metric(
        "spearman",
        "Spearman correlation",
        None,
        CORRELATION,
        "How alike two measures order the links; neither direction is better.",
        "Dyport, section 6.1.2",
    ),
    Metric(
        "acc_hop1",
        "Accuracy, 1 hop",
        "higher",
        PERCENT,
        "Share of the 1-hop questions whose one answer is close to a true one in meaning.",
        "BioHopR, section 4.3",
    ),
    Metric(
        "acc_hop2",
        "Accuracy, 2 hops",
        "higher",
        PERCENT,
        "Share of the 2-hop questions whose one answer is close to a true one in meaning.",
        "BioHopR, section 4.3",
    ),
    Metric(
        "both_correct",
        "Both right",
        "higher",
        PERCENT,
        "Share of the questions right over two hops and over the one hop that leads there.",
        "BioHopR, section 5, Table 5",
    ),
    Metric(
        "both_wrong",
        "Both wrong",
        "lower",
        PERCENT,
        "Share of the questions wrong over two hops and over the one hop that leads there.",
        "BioHopR, section 5, Table 5",
    ),
    Metric(
        "f1_hop1",
        "F1, 1 hop",
        "higher",
        PERCENT,
        "Harmonic mean of precision and recall of all answers to a 1-hop question.",
        "BioHopR, section 5.5.1",
    ),
    Metric(
        "f1_hop2",
        "F1, 2 hops",
        "higher",
        PERCENT,
        "Harmonic mean of precision and recall of all answers to a 2-hop question.",
        "BioHopR, section 5.5.1",
    ),
)

METRICS = {metric.id: metric for metric in _METRICS}
