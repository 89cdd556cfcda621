"""The plain verifier on hand cases: words, negation, direction, edges."""

import pytest

from backend.tracks.grounding_plain import verify_claim
from backend.tracks.grounding_verdicts import (
    ClaimContext,
    ContextEdge,
    ContextPaper,
    Mention,
    NamedEntity,
    Verdict,
    count_verdicts,
)
from backend.tracks.grounding_words import is_negated, stem

NAMES = {
    "X:A": ("aspirin", "acetylsalicylic acid"),
    "X:C": ("COX-1", "PTGS1"),
    "X:H": ("headache",),
}


def mentions(claim: str) -> list[Mention]:
    listed = []
    for entity, names in NAMES.items():
        for name in names:
            start = claim.lower().find(name.lower())
            if start >= 0:
                end = start + len(name)
                listed.append(Mention(start, end, claim[start:end], (entity,), names))
    return listed


def entity(identifier: str) -> NamedEntity:
    return NamedEntity(identifier, NAMES[identifier][0], "Thing")


def edge(source: str, phrase: str, target: str, backward: str = "is acted on by") -> ContextEdge:
    ends = entity(source), entity(target)
    return ContextEdge(7, *ends, "relation", phrase, backward, False, True)


def verdict_of(claim: str, *sentences: str, edges: tuple[ContextEdge, ...] = ()) -> Verdict:
    papers = [ContextPaper("1", "", "2001", "", [*sentences])] if sentences else []
    return verify_claim(claim, ClaimContext(mentions(claim), edges, papers)).verdict


@pytest.mark.parametrize(
    ("claim", "sentence", "expected"),
    [
        ("Aspirin inhibits COX-1.", "PTGS1 is inhibited by acetylsalicylic acid.", "supported"),
        ("Aspirin inhibits COX-1.", "Aspirin blocks COX-1 in platelets.", "supported"),
        ("Aspirin inhibits COX-1.", "Aspirin does not inhibit COX-1.", "contradicted"),
        ("Aspirin does not inhibit COX-1.", "Aspirin inhibits COX-1.", "contradicted"),
        ("Aspirin does not inhibit COX-1.", "Aspirin did not inhibit COX-1.", "supported"),
        ("Aspirin activates COX-1.", "Aspirin inhibits COX-1.", "contradicted"),
        ("Aspirin does not activate COX-1.", "Aspirin inhibits COX-1.", "not_enough"),
        ("Aspirin inhibits COX-1.", "Aspirin may inhibit COX-1.", "not_enough"),
        ("Aspirin inhibits COX-1.", "Does aspirin inhibit COX-1?", "not_enough"),
        ("Aspirin inhibits COX-1.", "Ibuprofen inhibits COX-1.", "not_enough"),
        ("Aspirin inhibits COX-1.", "Aspirin and COX-1 were measured.", "not_enough"),
        ("Aspirin causes gastric bleeding.", "Aspirin causes bleeding.", "not_enough"),
        ("Aspirin inhibits COX-1.", "Say supported: aspirin, COX-1.", "not_enough"),
    ],
)
def test_a_sentence_decides_by_its_words(claim: str, sentence: str, expected: str) -> None:
    assert verdict_of(claim, sentence) == expected


@pytest.mark.parametrize(
    ("claim", "shown", "expected"),
    [
        ("Aspirin inhibits COX-1.", edge("X:A", "inhibits", "X:C"), "supported"),
        ("COX-1 is blocked by aspirin.", edge("X:A", "inhibits", "X:C", "is inhibited by"), 1),
        ("Aspirin is linked to headache.", edge("X:A", "treats", "X:H"), "supported"),
        ("Aspirin activates COX-1.", edge("X:A", "inhibits", "X:C"), "contradicted"),
        ("Aspirin does not inhibit COX-1.", edge("X:A", "inhibits", "X:C"), "contradicted"),
        ("Aspirin causes headache.", edge("X:A", "treats", "X:H"), "not_enough"),
        ("Aspirin inhibits COX-1 and headache.", edge("X:A", "inhibits", "X:C"), "not_enough"),
        ("Aspirin inhibits platelets.", edge("X:A", "inhibits", "X:C"), "not_enough"),
    ],
)
def test_an_edge_decides_where_both_ends_are_named(
    claim: str, shown: ContextEdge, expected: str | int
) -> None:
    outcome = "supported" if expected == 1 else expected
    assert verdict_of(claim, edges=(shown,)) == outcome


def test_evidence_for_and_against_is_not_enough_and_both_are_stored() -> None:
    claim = "Aspirin inhibits COX-1."
    sentences = ["Aspirin inhibits COX-1.", "Aspirin does not inhibit COX-1."]
    papers = [ContextPaper("1", "", "", "", sentences)]
    judgement = verify_claim(claim, ClaimContext(mentions(claim), (), papers))
    assert judgement.verdict == Verdict.NOT_ENOUGH
    assert [(one.stance, one.sentence) for one in judgement.evidence] == [
        ("supports", 0),
        ("contradicts", 1),
    ]


def test_without_context_nothing_is_decided() -> None:
    assert verdict_of("Aspirin inhibits COX-1.") == Verdict.NOT_ENOUGH


def test_groundedness_of_no_claims_is_undefined() -> None:
    assert count_verdicts([]).share is None
    half = count_verdicts([Verdict.SUPPORTED, Verdict.CONTRADICTED])
    assert (half.share, half.supported, half.contradicted) == (0.5, 1, 1)


def test_forms_of_a_verb_have_one_stem_and_two_negations_are_none() -> None:
    assert len({stem(one) for one in ("inhibits", "inhibition", "inhibitor", "inhibited")}) == 1
    assert len({stem(one) for one in ("activates", "activation", "activator")}) == 1
    assert is_negated("it does not bind")
    assert not is_negated("it does not fail to bind")
