"""Question sets with patterns and partitions: stored whole or not at all, and never altered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from backend.benchmarks.exporting import partitions_file, qa_file
from backend.benchmarks.importing import StoredSet, store_serenqa
from backend.benchmarks.masking import entities_of, questions_to_mask
from backend.benchmarks.models import Candidate, Partition, Question, Record
from backend.benchmarks.partitions import (
    NewPartition,
    PartitionInvalid,
    add_partitions,
    newest_of_set,
)
from backend.benchmarks.questionnaire import SourceFile
from backend.benchmarks.release_masks import mask_release
from backend.benchmarks.resolution import resolve_question_set
from backend.benchmarks.serenqa.reading import read_serenqa
from backend.benchmarks.serenqa.records import SerenQAInvalid
from backend.benchmarks.services import create_question_set, store_questions
from backend.benchmarks.stored import pattern_of, patterns_of
from backend.graphs.citations import citations_of
from backend.graphs.models import Version
from backend.graphs.reading import snapshot_of
from backend.graphs.rows import EdgeRow, NodeRow
from tests.benchmarks.serenqa import making
from tests.graphs.living import make_graph
from tests.graphs.snapshots.sources import Rows

pytestmark = pytest.mark.django_db


def store(*contents: object, name: str = "SerenQA") -> StoredSet:
    files = [making.source(one, f"{place}.json") for place, one in enumerate(contents)]
    question_set = create_question_set(actor=None, name=name)
    read = read_serenqa(files)
    return store_serenqa(actor=None, question_set=question_set, read=read, source="files")


def everything() -> list[Any]:
    models = (Question, Candidate, Record, Partition)
    return [list(model.objects.order_by("pk").values()) for model in models]


def faults_of(*contents: object) -> list[tuple[str, str]]:
    before = everything()
    with pytest.raises(SerenQAInvalid) as caught:
        store(*contents)
    assert everything() == before
    return [(fault.place, fault.code) for fault in caught.value.faults]


def test_questions_are_stored_with_their_answers_and_the_type_of_their_shape() -> None:
    stored = store([making.question(800), making.question(7)])
    assert (stored.questions, stored.added, stored.partitions) == (2, 2, 0)
    first, second = stored.question_set.questions.all()
    assert [(one.file_id, one.number) for one in (first, second)] == [("800", 1), ("7", 2)]
    assert (first.pattern_type, first.category) == ("4.1", "genetic disease:None ")
    assert [(it.identifier, it.name, it.prior_rank) for it in first.candidates.all()] == [
        ("P1", "NOS3", 1),
        ("P2", making.NASTY, 1),
    ]
    pattern = pattern_of(first)
    assert pattern is not None and pattern.type == "4.1"
    assert patterns_of(stored.question_set) == {first.pk: pattern, second.pk: pattern}


def test_a_question_of_a_questionnaire_has_no_pattern() -> None:
    question_set = create_question_set(actor=None, name="Questionnaire")
    question = Question.objects.create(
        question_set=question_set, file_id="800", number=1, text="Which?"
    )
    assert pattern_of(question) is None
    assert store_questions(actor=None, question_set=question_set, questions=[]).questions == {}
    with pytest.raises(SerenQAInvalid) as caught:
        store([making.question(800)], name="Questionnaire")
    assert [fault.code for fault in caught.value.faults] == ["changed"]


def test_partitions_are_stored_as_places_of_candidates() -> None:
    stored = store([making.question()], [making.partitions()])
    assert (stored.partitions, stored.partitions_added) == (3, 3)
    found = {one.method: (one.serendipity, one.existing) for one in Partition.objects.all()}
    assert found == {"llm": ([0], [1]), "rns": ([1], [0]), "expert": ([0], [1])}
    one = Partition.objects.get(method="rns")
    assert (one.number, one.split, one.source, one.version) == (1, "test", "files", None)
    assert one.record is not None and one.record.kind == Record.Kind.PARTITIONS


def test_storing_twice_changes_nothing() -> None:
    store([making.question()], [making.partitions()])
    before = everything()
    again = store([making.question()], [making.partitions()])
    assert (again.added, again.partitions_added) == (0, 0)
    assert everything() == before


def test_a_partition_that_differs_becomes_the_next_and_the_first_stays() -> None:
    stored = store([making.question()], [making.partitions()])
    before = list(Partition.objects.order_by("pk").values())
    again = store([making.partitions(llm=making.split(["P2"], ["P1"]))])
    assert (again.questions, again.added, again.partitions_added) == (0, 0, 1)
    kept = Partition.objects.filter(pk__in=[row["id"] for row in before]).order_by("pk")
    assert list(kept.values()) == before
    (newest,) = newest_of_set(stored.question_set, "llm")
    assert (newest.number, newest.serendipity) == (2, [1])
    back = store([making.partitions()])
    assert back.partitions_added == 1
    assert newest_of_set(stored.question_set, "llm").get().number == 3


def test_a_question_that_changed_is_a_fault_that_names_the_field() -> None:
    store([making.question()])
    changed = making.question(question="Other?", more=1)
    changed["graph_query"]["nodes"][0]["friendly_name"] = "protein"
    assert faults_of([changed]) == [
        ("0.json, entry 1 (qid 800), question", "changed"),
        ("0.json, entry 1 (qid 800), graph_query", "changed"),
        ("0.json, entry 1 (qid 800), more", "changed"),
    ]
    turned = dict(reversed(making.question().items()))
    assert faults_of([turned]) == [("0.json, entry 1 (qid 800), order of fields", "changed")]


def test_one_wrong_record_keeps_out_all_others() -> None:
    store([making.question()])
    wrong = making.partitions(llm=making.split(["P9"], ["P1"]))
    assert faults_of([making.question(1)], [wrong, making.partitions(2)]) == [
        ("1.json, entry 1 (qid 800), llm.serendipity_set.list", "no_answer"),
        ("1.json, entry 2 (qid 2), qid", "no_question"),
    ]


def test_a_question_that_is_worded_otherwise_in_the_partitions_is_a_notice() -> None:
    stored = store([making.question()], [making.partitions(question="Which ones?")])
    assert len(stored.notices) == 1 and "worded otherwise" in stored.notices[0]


def test_what_was_imported_is_exported_without_loss() -> None:
    text = json.dumps([making.question(9), making.question(3)], ensure_ascii=False)
    text = text.replace('"commonness": 0.0', '"commonness": 0.00, "odd": "\\u0000 \\ud800"')
    parts = [making.partitions(9, extra={"a": [1, None]}), making.partitions(3)]
    question_set = create_question_set(actor=None, name="S")
    files = [making.source(parts, "parts.json")]
    read = read_serenqa([SourceFile("qa.json", text.encode()), *files])
    store_serenqa(actor=None, question_set=question_set, read=read)
    assert json.loads(qa_file(question_set)) == json.loads(text)
    assert qa_file(question_set).count(b"0.00") == 2
    assert json.loads(partitions_file(question_set)) == parts


def test_a_set_without_records_is_exported_as_an_empty_list() -> None:
    question_set = create_question_set(actor=None, name="S")
    assert json.loads(qa_file(question_set)) == json.loads(partitions_file(question_set)) == []


def test_the_number_of_queries_does_not_grow_with_the_questions() -> None:
    def queries(first: int, count: int) -> int:
        numbers = range(first, first + count)
        with CaptureQueriesContext(connection) as seen:
            store([making.question(n) for n in numbers], [making.partitions(n) for n in numbers])
        return len(seen)

    queries(1, 1)
    assert queries(10, 100) == queries(1000, 2)


def new(question: Question, **changes: Any) -> NewPartition:
    fields = {"serendipity": [0], "existing": [1], **changes}
    return NewPartition(question.pk, Partition.Method.RNS, **fields)


def test_a_computed_partition_keeps_what_it_was_computed_with() -> None:
    question = store([making.question()]).question_set.questions.get()
    version = Version.objects.get(graph=make_graph())
    wanted = new(question, parameters={"alpha": 0.5}, version=version, source="RNS")
    added = add_partitions(actor=None, partitions=[wanted])
    assert added.new == 1
    assert add_partitions(actor=None, partitions=[wanted]).partitions == added.partitions
    for changes in ({"parameters": {"alpha": 1}}, {"version": None}, {"split": "dev"}):
        other = new(question, **{"parameters": {"alpha": 0.5}, "version": version, **changes})
        assert add_partitions(actor=None, partitions=[other]).new == 1
    assert citations_of(version) == ["3 partitions of answers"]


@pytest.mark.parametrize(
    ("hidden", "known", "said"),
    [
        ([], [], "Both sets are empty."),
        ([0], [0], "A candidate is given twice, or stands in both sets."),
        ([0, 0], [1], "A candidate is given twice, or stands in both sets."),
        ([0], [7], "A set holds what is no candidate of the question."),
    ],
)
def test_what_is_no_split_of_the_candidates_is_refused(
    hidden: list[int], known: list[int], said: str
) -> None:
    question = store([making.question()]).question_set.questions.get()
    with pytest.raises(PartitionInvalid) as caught:
        add_partitions(
            actor=None,
            partitions=[new(question), new(question, serendipity=hidden, existing=known)],
        )
    assert [fault.message for fault in caught.value.faults] == [said]
    assert not Partition.objects.exists()


def test_the_database_refuses_sets_that_share_a_candidate() -> None:
    question = store([making.question()]).question_set.questions.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Partition.objects.create(
            question=question, method="rns", number=1, serendipity=[0, 1], existing=[1]
        )


def clinical(complex_: str) -> Rows:
    """The entities as the importer of the Clinical Knowledge Graph calls them."""
    nodes = [
        NodeRow("UniProtKB:P1", "Protein", "NOS3"),
        NodeRow("UniProtKB:P2", "Protein", "another name"),
        NodeRow("NCBIGene:1", "Gene", "NOS3"),
        NodeRow("DOID:1", "Disease", "heart disease"),
        NodeRow(complex_, "Complex", "a complex, induced"),
    ]
    edges = [
        EdgeRow(f"UniProtKB:P{n}", relation, target)
        for n in (1, 2)
        for relation, target in (("ASSOCIATED_WITH", "DOID:1"), ("IS_SUBUNIT_OF", complex_))
    ]
    return Rows([*nodes], [*edges])


def test_stored_questions_are_masked_in_the_graph_that_they_are_about() -> None:
    graph = make_graph("Clinical", rows=clinical("CORUM:5716"))
    version = graph.versions.get()
    stored = store(
        [making.question(1), making.question(2), making.question(3)],
        [making.partitions(1), making.partitions(2, llm=None)],
    )
    resolution = resolve_question_set(question_set=stored.question_set, version=version)
    assert resolution.counts["candidates"] == {"identifier": 6}
    snapshot = snapshot_of(version)
    first = stored.question_set.questions.get(file_id="1")
    proteins = [snapshot.number_of(f"UniProtKB:P{n}") for n in (1, 2)]
    assert entities_of(stored.question_set, version)[first.pk] == dict(enumerate(proteins))
    found = questions_to_mask(stored.question_set, version, "llm")
    assert found.without == {"2": "no partition by llm", "3": "no partition by llm"}
    release = mask_release(snapshot, found.questions)
    assert release.kept == ("1",)
    records = [snapshot.edge(edge) for edge in release.removed]
    assert [(it.source, snapshot.entity(it.target).id) for it in records] == [
        (proteins[0], "DOID:1")
    ]


def test_answers_that_the_graph_lacks_keep_a_question_from_being_masked() -> None:
    rows = clinical("CORUM:5716")
    graph = make_graph("Clinical", rows=Rows(rows.node_rows[1:], rows.edge_rows))
    version = graph.versions.get()
    stored = store([making.question()], [making.partitions()])
    resolve_question_set(question_set=stored.question_set, version=version)
    found = questions_to_mask(stored.question_set, version, "rns")
    assert found.without == {"800": "1 of its answers are not in this graph"}
