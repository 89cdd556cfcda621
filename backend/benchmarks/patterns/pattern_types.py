"""Pattern types, which the tracks of SerenQA share: see `backend.tracks.serenqa_patterns`."""

from backend.tracks.serenqa_patterns import (
    PATTERN_TYPES,
    NodeKind,
    Pattern,
    PatternEdge,
    PatternNode,
    reachable_nodes,
)

__all__ = [
    "PATTERN_TYPES",
    "NodeKind",
    "Pattern",
    "PatternEdge",
    "PatternNode",
    "reachable_nodes",
]
