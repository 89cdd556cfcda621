"""Question sets with patterns and partitions: stored whole or not at all, and never altered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from backend.benchmarks.entity_linking import entities_by_question, resolve_question_set
from backend.benchmarks.formats.serenqa.export import export_partitions, export_questions
from backend.benchmarks.formats.serenqa.parser import parse_serenqa
from backend.benchmarks.leakage_masks.mask_inputs import questions_to_mask
from backend.benchmarks.leakage_masks.release import mask_release
from backend.benchmarks.models import Candidate, Partition, Question, QuestionRecord
from backend.benchmarks.partitions import (
    NewPartition,
    PartitionInvalid,
    add_partitions,
    newest_set_partitions,
)
from backend.benchmarks.question_format import QuestionFilesInvalid
from backend.benchmarks.question_import import ImportedSet, import_questions
from backend.benchmarks.question_records import pattern_of, patterns_of
from backend.benchmarks.question_sets import get_or_create_question_set, store_questions
from backend.benchmarks.questionnaire import SourceFile
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.graphs.source_records import EdgeRow, NodeRow
from backend.graphs.version_references import references_to
from tests.benchmarks.formats import factories
from tests.graphs.served_graph import make_graph
from tests.graphs.snapshots.sources import SourceRows

pytestmark = pytest.mark.django_db


def store(*contents: object, name: str = "SerenQA") -> ImportedSet:
    files = [factories.source(one, f"{place}.json") for place, one in enumerate(contents)]
    question_set = get_or_create_question_set(actor=None, name=name)
    read = parse_serenqa(files)
    return import_questions(actor=None, question_set=question_set, parsed=read, source="files")


def everything() -> list[Any]:
    models = (Question, Candidate, QuestionRecord, Partition)
    return [list(model.objects.order_by("pk").values()) for model in models]


def faults_of(*contents: object) -> list[tuple[str, str]]:
    before = everything()
    with pytest.raises(QuestionFilesInvalid) as caught:
        store(*contents)
    assert everything() == before
    return [(fault.place, fault.code) for fault in caught.value.faults]


def test_questions_are_stored_with_their_answers_and_the_type_of_their_shape() -> None:
    stored = store([factories.question(800), factories.question(7)])
    assert (stored.questions, stored.added, stored.partitions) == (2, 2, 0)
    first, second = stored.question_set.questions.all()
    assert [(one.file_id, one.number) for one in (first, second)] == [("800", 1), ("7", 2)]
    assert (first.pattern_type, first.category) == ("4.1", "genetic disease:None ")
    assert [(it.identifier, it.name, it.prior_rank) for it in first.candidates.all()] == [
        ("P1", "NOS3", 1),
        ("P2", factories.NASTY, 1),
    ]
    pattern = pattern_of(first)
    assert pattern is not None and pattern.type == "4.1"
    assert patterns_of(stored.question_set) == {first.pk: pattern, second.pk: pattern}


def test_a_question_of_a_questionnaire_has_no_pattern() -> None:
    question_set = get_or_create_question_set(actor=None, name="Questionnaire")
    question = Question.objects.create(
        question_set=question_set, file_id="800", number=1, text="Which?"
    )
    assert pattern_of(question) is None
    assert store_questions(actor=None, question_set=question_set, questions=[]).questions == {}
    with pytest.raises(QuestionFilesInvalid) as caught:
        store([factories.question(800)], name="Questionnaire")
    assert [fault.code for fault in caught.value.faults] == ["changed"]


def test_partitions_are_stored_as_places_of_candidates() -> None:
    stored = store([factories.question()], [factories.partitions()])
    assert (stored.partitions, stored.partitions_added) == (3, 3)
    partitions = {one.method: (one.serendipity, one.existing) for one in Partition.objects.all()}
    assert partitions == {"llm": ([0], [1]), "rns": ([1], [0]), "expert": ([0], [1])}
    one = Partition.objects.get(method="rns")
    assert (one.number, one.split, one.source, one.version) == (1, "test", "files", None)
    assert one.record is not None and one.record.kind == QuestionRecord.Kind.PARTITIONS


def test_storing_twice_changes_nothing() -> None:
    store([factories.question()], [factories.partitions()])
    before = everything()
    again = store([factories.question()], [factories.partitions()])
    assert (again.added, again.partitions_added) == (0, 0)
    assert everything() == before


def test_a_partition_that_differs_becomes_the_next_and_the_first_stays() -> None:
    stored = store([factories.question()], [factories.partitions()])
    before = list(Partition.objects.order_by("pk").values())
    again = store([factories.partitions(llm=factories.split(["P2"], ["P1"]))])
    assert (again.questions, again.added, again.partitions_added) == (0, 0, 1)
    first = Partition.objects.filter(pk__in=[row["id"] for row in before]).order_by("pk")
    assert list(first.values()) == before
    (newest,) = newest_set_partitions(stored.question_set, "llm")
    assert (newest.number, newest.serendipity) == (2, [1])
    back = store([factories.partitions()])
    assert back.partitions_added == 1
    assert newest_set_partitions(stored.question_set, "llm").get().number == 3


def test_a_question_that_changed_is_a_fault_that_names_the_field() -> None:
    store([factories.question()])
    changed = factories.question(question="Other?", more=1)
    changed["graph_query"]["nodes"][0]["friendly_name"] = "protein"
    assert faults_of([changed]) == [
        ("0.json, entry 1 (qid 800), question", "changed"),
        ("0.json, entry 1 (qid 800), graph_query", "changed"),
        ("0.json, entry 1 (qid 800), more", "changed"),
    ]
    turned = dict(reversed(factories.question().items()))
    assert faults_of([turned]) == [("0.json, entry 1 (qid 800), order of fields", "changed")]


def test_one_wrong_record_keeps_out_all_others() -> None:
    store([factories.question()])
    wrong = factories.partitions(llm=factories.split(["P9"], ["P1"]))
    assert faults_of([factories.question(1)], [wrong, factories.partitions(2)]) == [
        ("1.json, entry 1 (qid 800), llm.serendipity_set.list", "no_answer"),
        ("1.json, entry 2 (qid 2), qid", "no_question"),
    ]


def test_a_question_that_is_worded_otherwise_in_the_partitions_is_a_notice() -> None:
    stored = store([factories.question()], [factories.partitions(question="Which ones?")])
    assert len(stored.notices) == 1 and "text differs" in stored.notices[0]


def test_what_was_imported_is_exported_without_loss() -> None:
    text = json.dumps([factories.question(9), factories.question(3)], ensure_ascii=False)
    text = text.replace('"commonness": 0.0', '"commonness": 0.00, "odd": "\\u0000 \\ud800"')
    parts = [factories.partitions(9, extra={"a": [1, None]}), factories.partitions(3)]
    question_set = get_or_create_question_set(actor=None, name="S")
    files = [factories.source(parts, "parts.json")]
    read = parse_serenqa([SourceFile("qa.json", text.encode()), *files])
    import_questions(actor=None, question_set=question_set, parsed=read)
    assert json.loads(export_questions(question_set)) == json.loads(text)
    assert export_questions(question_set).count(b"0.00") == 2
    assert json.loads(export_partitions(question_set)) == parts


def test_a_set_without_records_is_exported_as_an_empty_list() -> None:
    question_set = get_or_create_question_set(actor=None, name="S")
    assert (
        json.loads(export_questions(question_set))
        == json.loads(export_partitions(question_set))
        == []
    )


def test_the_number_of_queries_does_not_grow_with_the_questions() -> None:
    def queries(first: int, count: int) -> int:
        numbers = range(first, first + count)
        with CaptureQueriesContext(connection) as captured:
            store(
                [factories.question(n) for n in numbers], [factories.partitions(n) for n in numbers]
            )
        return len(captured)

    queries(1, 1)
    assert queries(10, 100) == queries(1000, 2)


def new(question: Question, **changes: Any) -> NewPartition:
    fields = {"serendipity": [0], "existing": [1], **changes}
    return NewPartition(question.pk, Partition.Method.RNS, **fields)


def test_a_computed_partition_keeps_what_it_was_computed_with() -> None:
    question = store([factories.question()]).question_set.questions.get()
    version = Version.objects.get(graph=make_graph())
    partition = new(question, parameters={"alpha": 0.5}, version=version, source="RNS")
    added = add_partitions(actor=None, partitions=[partition])
    assert added.new_count == 1
    assert add_partitions(actor=None, partitions=[partition]).partitions == added.partitions
    for changes in ({"parameters": {"alpha": 1}}, {"version": None}, {"split": "dev"}):
        other = new(question, **{"parameters": {"alpha": 0.5}, "version": version, **changes})
        assert add_partitions(actor=None, partitions=[other]).new_count == 1
    assert references_to(version) == ["3 partitions of answers"]


@pytest.mark.parametrize(
    ("hidden", "known", "message"),
    [
        ([], [], "Both sets are empty."),
        ([0], [0], "A candidate is given twice, or is in both sets."),
        ([0, 0], [1], "A candidate is given twice, or is in both sets."),
        ([0], [7], "A position is not that of a candidate of the question."),
    ],
)
def test_what_is_no_split_of_the_candidates_is_refused(
    hidden: list[int], known: list[int], message: str
) -> None:
    question = store([factories.question()]).question_set.questions.get()
    with pytest.raises(PartitionInvalid) as caught:
        add_partitions(
            actor=None,
            partitions=[new(question), new(question, serendipity=hidden, existing=known)],
        )
    assert [fault.message for fault in caught.value.faults] == [message]
    assert not Partition.objects.exists()


def test_the_database_refuses_sets_that_share_a_candidate() -> None:
    question = store([factories.question()]).question_set.questions.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Partition.objects.create(
            question=question, method="rns", number=1, serendipity=[0, 1], existing=[1]
        )


def clinical(complex_: str) -> SourceRows:
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
    return SourceRows([*nodes], [*edges])


def test_stored_questions_are_masked_in_the_graph_that_they_are_about() -> None:
    graph = make_graph("Clinical", rows=clinical("CORUM:5716"))
    version = graph.versions.get()
    stored = store(
        [factories.question(1), factories.question(2), factories.question(3)],
        [factories.partitions(1), factories.partitions(2, llm=None)],
    )
    resolution = resolve_question_set(question_set=stored.question_set, version=version)
    assert resolution.counts["candidates"] == {"identifier": 6}
    snapshot = open_version_snapshot(version)
    first = stored.question_set.questions.get(file_id="1")
    proteins = [snapshot.find_number(f"UniProtKB:P{n}") for n in (1, 2)]
    assert entities_by_question(stored.question_set, version)[first.pk] == dict(enumerate(proteins))
    partitions = questions_to_mask(stored.question_set, version, "llm")
    assert partitions.excluded == {"2": "no partition by llm", "3": "no partition by llm"}
    release = mask_release(snapshot, partitions.questions)
    assert release.included == ("1",)
    records = [snapshot.edge(edge) for edge in release.removed]
    assert [(it.source, snapshot.entity(it.target).id) for it in records] == [
        (proteins[0], "DOID:1")
    ]


def test_answers_that_the_graph_lacks_keep_a_question_from_being_masked() -> None:
    rows = clinical("CORUM:5716")
    graph = make_graph("Clinical", rows=SourceRows(rows.node_rows[1:], rows.edge_rows))
    version = graph.versions.get()
    stored = store([factories.question()], [factories.partitions()])
    resolve_question_set(question_set=stored.question_set, version=version)
    partitions = questions_to_mask(stored.question_set, version, "rns")
    assert partitions.excluded == {"800": "1 of its answers are not in this graph"}
