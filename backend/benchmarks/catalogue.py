"""The tracks that this project knows: every figure shown or scored anywhere belongs to one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Track:
    """One task of one paper."""

    id: str
    title: str
    paper: str
    about: str


_TRACKS = (
    Track(
        "serenqa-retrieval",
        "Retrieval",
        "SerenQA",
        "Turn a question into a graph query and return the entities that answer it.",
    ),
    Track(
        "serenqa-reasoning",
        "Reasoning",
        "SerenQA",
        "Sum up the graph around the answers without losing the paths to unexpected ones.",
    ),
    Track(
        "serenqa-exploration",
        "Exploration",
        "SerenQA",
        "Walk from the known answers to unexpected ones that experts or RNS found serendipitous.",
    ),
    Track(
        "truthhypo",
        "Hypotheses",
        "TruthHypo",
        "Say how two biomedical entities are related before the literature did.",
    ),
    Track(
        "stark-prime",
        "PrimeKG",
        "STaRK",
        "Find the entities that a medical question asks for, by their text and their relations.",
    ),
    Track(
        "stark-mag",
        "MAG",
        "STaRK",
        "Find the papers that a question asks for, by their text and their relations.",
    ),
    Track(
        "stark-amazon",
        "Amazon",
        "STaRK",
        "Find the products that a question asks for, by their text and their relations.",
    ),
    Track(
        "dyport",
        "Link prediction",
        "Dyport",
        "Tell links that were discovered later from random pairs of the same types.",
    ),
    Track(
        "dyport-importance",
        "Importance",
        "Dyport",
        "See how the parts of the measure of a discovery's importance go together.",
    ),
    Track(
        "biohopr",
        "Multi-hop answers",
        "BioHopR",
        "Name entities that are one or two relations away from the one in the question.",
    ),
)

TRACKS = {track.id: track for track in _TRACKS}
