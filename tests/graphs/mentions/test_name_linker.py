"""Which words of a sentence are linked, and to what."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.mentions.linked_mentions import LinkedMention
from backend.graphs.mentions.name_linker import MAX_MISTYPED, NameLinker
from backend.graphs.mentions.name_table import NameTable
from backend.graphs.mentions.spans import MAX_CHARACTERS
from backend.graphs.source_records import NodeRow
from tests.graphs.search.factories import Searched

ROWS = [
    NodeRow("G:1", "Gene", "ACHE", ("acetylcholinesterase (Yt blood group)",)),
    NodeRow("P:1", "Protein", "acetylcholinesterase", ("ACHE",)),
    NodeRow("G:2", "Gene", "KIT"),
    NodeRow("G:3", "Gene", "CYP11B1", ("CYP11B",)),
    NodeRow("G:4", "Gene", "CYP11B2", ("CYP11B",)),
    NodeRow("G:5", "Gene", "APOE"),
    NodeRow("G:6", "Gene", "APE"),
    NodeRow("P:2", "Protein", "interleukin-6", ("IL6",)),
    NodeRow("P:3", "Protein", "PPAR-gamma"),
    NodeRow("P:4", "Protein", "mTOR kinase", ("mTOR",)),
    NodeRow("D:1", "Drug", "Metformin", ("Glucophage",)),
    NodeRow("D:2", "Drug", "Tretinoin", ("Retin-A",)),
    NodeRow("D:3", "Drug", "Orlistat", ("alli",)),
    NodeRow("D:4", "Drug", "Levodopa", ("L-DOPA",)),
    NodeRow("X:1", "Disease", "type 2 diabetes mellitus", ("type 2 diabetes",)),
    NodeRow("X:2", "Disease", "Crohn's disease"),
    NodeRow("X:3", "Disease", "acute lymphoblastic leukemia", ("ALL",)),
    NodeRow("X:4", "Disease", "anemia"),
    NodeRow("X:5", "Disease", "sickle cell anemia"),
    NodeRow("X:6", "Disease", "hypertension"),
    NodeRow("H:6", "Phenotype", "Hypertension"),
    NodeRow("H:1", "Phenotype", "Fever"),
    NodeRow("H:2", "Phenotype", "Pain", ("Fever, pain and chills",)),
    NodeRow("A:1", "Anatomy", "arm"),
    NodeRow("C:1", "Drug class", "Thiazides"),
    NodeRow("S:1", "Side effect", "Therapy failure", ("Haemorrhages",)),
]


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> NameLinker:
    searched = Searched.of(tmp_path_factory.mktemp("mentions"), ROWS)
    return NameLinker(NameTable.of(searched.snapshot, searched.lexicon))


def links(linker: NameLinker, text: str) -> list[tuple[str, str | None]]:
    return [(one.text, one.identifier) for one in linker.link(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nerves need ACHE to rest.", [("ACHE", "G:1")]),
        ("AChE is an enzyme.", [("AChE", "G:1")]),
        ("A dull ache remained.", []),
        ("Ache is a symptom.", []),
        ("Kit contents were counted.", []),
        ("A kit with KIT.", [("KIT", "G:2")]),
        ("All children with ALL recovered.", [("ALL", "X:3")]),
        ("ALL CHILDREN WERE GIVEN METFORMIN", [("METFORMIN", "D:1")]),
        ("The ARM of a trial, and an arm.", [("arm", "A:1")]),
        ("They all improved, as all I saw.", []),
        ("The mTOR and MTOR spellings", [("mTOR", "P:4"), ("MTOR", "P:4")]),
    ],
)
def test_symbols_that_are_words_are_names_in_their_own_case_alone(
    linker: NameLinker, text: str, expected: list[tuple[str, str]]
) -> None:
    assert links(linker, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("il-6 rose", [("il-6", "P:2")]),
        ("IL 6 and IL6", [("IL 6", "P:2"), ("IL6", "P:2")]),
        ("PPAR\u03b3 falls", [("PPAR\u03b3", "P:3")]),
        ("PPAR-\u03b3 falls", [("PPAR-\u03b3", "P:3")]),
        ("L-dopa helps", [("L-dopa", "D:4")]),
        ("Metformin\u2019s and metformin's effects", [("Metformin", "D:1"), ("metformin", "D:1")]),
        ("Crohn\u2019s disease", [("Crohn\u2019s disease", "X:2")]),
        ("Crohns disease", [("Crohns disease", "X:2")]),
        ("metformin-treated mice", [("metformin", "D:1")]),
        ("a thiazide and anemias", [("thiazide", "C:1"), ("anemias", "X:4")]),
        ("sickle-cell anaemia", [("sickle-cell anaemia", "X:5")]),
        ("a hemorrhage", [("hemorrhage", "S:1")]),
        ("the retina, not RetinA", [("RetinA", "D:2")]),
        ("APOE is not APE", [("APOE", "G:5"), ("APE", "G:6")]),
    ],
)
def test_spellings_of_a_name_are_one_name(
    linker: NameLinker, text: str, expected: list[tuple[str, str]]
) -> None:
    assert links(linker, text) == expected


def test_the_longest_name_is_linked_and_a_list_is_no_name(linker: NameLinker) -> None:
    assert links(linker, "type 2 diabetes mellitus") == [("type 2 diabetes mellitus", "X:1")]
    assert links(linker, "type 2 diabetes") == [("type 2 diabetes", "X:1")]
    assert links(linker, "type 2. Diabetes mellitus") == []
    assert links(linker, "Fever; pain") == [("Fever", "H:1"), ("pain", "H:2")]
    assert links(linker, "Fever pain and chills") == [("Fever pain and chills", "H:2")]
    assert links(linker, "acetylcholinesterase (Yt blood group)") == [
        ("acetylcholinesterase (Yt blood group", "G:1")
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("metfromin", [("metfromin", "D:1")]),
        ("metformine for type 2 diabetis", [("metformine", "D:1"), ("type 2 diabetis", "X:1")]),
        ("typical diabetes", []),
        ("sikle cell anemia", [("anemia", "X:4")]),  # short words are not corrected
        ("levadopa", [("levadopa", "D:4")]),
        ("METFROMIN", []),
        ("CYP11B3", []),
        ("fevers", [("fevers", "H:1")]),
        ("fevre", []),
    ],
)
def test_longer_words_are_corrected_and_symbols_are_not(
    linker: NameLinker, text: str, expected: list[tuple[str, str]]
) -> None:
    assert links(linker, text) == expected


def test_methods_and_scores_say_how_a_mention_was_linked(linker: NameLinker) -> None:
    own, synonym, mistyped = linker.link("Metformin, Glucophage and metfromin")
    assert (own.method, own.score, own.name, own.type) == ("exact", 1.0, "Metformin", "Drug")
    assert (synonym.method, synonym.score, synonym.name) == ("synonym", 1.0, "Metformin")
    assert mistyped.method == "typo" and mistyped.score == pytest.approx(1 - 1 / 9)


def test_ties_go_to_the_name_then_the_case_then_the_number_of_edges(linker: NameLinker) -> None:
    (gene,) = linker.link("ACHE")
    assert (gene.identifier, gene.alternatives) == ("G:1", ("P:1",))
    (protein,) = linker.link("Acetylcholinesterase")
    assert (protein.identifier, protein.alternatives) == ("P:1", ())
    # The case of a first letter says nothing: the disease has more edges.
    for text in ("hypertension", "Hypertension"):
        (disease,) = linker.link(text)
        assert (disease.identifier, disease.alternatives) == ("X:6", ("H:6",))


def test_a_name_of_two_entities_of_one_type_is_left_open(linker: NameLinker) -> None:
    (open_one,) = linker.link("CYP11B is high")
    assert open_one == LinkedMention(
        0, 6, "CYP11B", None, "CYP11B", "Gene", "synonym", 1.0, ("G:3", "G:4")
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anemia (AL) and AL again.", [("Anemia", "X:4")]),
        (
            "hypertension (HTN) is HTN, not htn",
            [("hypertension", "X:6"), ("HTN", "X:6"), ("HTN", "X:6")],
        ),
        (
            "Crohn's disease (KIT) and KIT",
            [("Crohn's disease", "X:2"), ("KIT", "G:2"), ("KIT", "G:2")],
        ),
        ("KIT inhibitor therapy (KIT)", [("KIT", "G:2"), ("KIT", "G:2")]),
        ("anemia (ALL) of ALL", [("anemia", "X:4"), ("ALL", "X:3"), ("ALL", "X:3")]),
        (
            "acute lymphoblastic leukemia (AL)",
            [("acute lymphoblastic leukemia", "X:3"), ("AL", "X:3")],
        ),
    ],
)
def test_an_abbreviation_that_the_text_defines_means_its_long_form(
    linker: NameLinker, text: str, expected: list[tuple[str, str]]
) -> None:
    assert links(linker, text) == expected


def test_a_given_mention_is_linked_by_its_longest_name(linker: NameLinker) -> None:
    linked = linker.link_mention("severe sickle cell anemia with fever")
    assert linked is not None and linked.identifier == "X:5"
    assert linker.link_mention("nothing of it") is None
    assert linker.link_mention("") is None


HOSTILE = [
    "a" * 50_000,
    "x-" * 30_000,
    "metfromin " * 6_000,
    "' " * 30_000,
    "e\u0301" * 30_000,
    "\x00\ufffd\u202e" * 20_000,
    "\ud800 metformin",
    "\ufdfa" * 30_000,
    "ALL " * 10_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_are_read_to_a_bound(linker: NameLinker, text: str) -> None:
    mentions = linker.link(text)
    assert all(one.end <= MAX_CHARACTERS for one in mentions)
    assert sum(one.method == "typo" for one in mentions) <= MAX_MISTYPED


TEXTS = st.lists(
    st.one_of(
        st.sampled_from([name for row in ROWS for name in (row.name, *row.synonyms)]),
        st.sampled_from([" ", "-", "'s ", ", ", ". ", "(", "\u03b3", "s", "\n", "ae"]),
        st.text(max_size=4),
    ),
    max_size=12,
).map("".join)


@given(TEXTS)
def test_mentions_are_parts_of_the_text_in_order_and_apart(linker: NameLinker, text: str) -> None:
    mentions = linker.link(text)
    assert all(text[one.start : one.end] == one.text for one in mentions)
    assert all(one.end <= two.start for one, two in pairwise(mentions))
    assert linker.link(text) == mentions
    known = {row.id for row in ROWS}
    assert {one.identifier for one in mentions} - {None} <= known
    assert all((one.identifier is None) <= (len(one.alternatives) > 1) for one in mentions)
