"""What each format reads, and that hostile files are refused with their place."""

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

from backend.graphs.importers.common.input_files import ReadLimits
from backend.graphs.literature.formats.registry import paper_formats
from backend.graphs.literature.paper_files import PaperFiles
from backend.graphs.literature.paper_records import PaperRecord, check_paper, last_possible_day
from tests.graphs.importers.factories import write_files
from tests.graphs.literature.paper_files import (
    BIOC_DOCUMENT,
    BIOC_JSON,
    BIOC_JSON_LINES,
    BIOC_XML,
    PUBMED,
    json_lines,
    paper,
)


def read(folder: Path, content: str | bytes, name: str = "papers.txt") -> PaperFiles:
    files = PaperFiles.open([write_files(folder, {name: content})])
    list(files.read(10))
    return files


def papers_of(folder: Path, content: str | bytes, name: str = "papers.txt") -> list[PaperRecord]:
    files = PaperFiles.open([write_files(folder, {name: content})])
    papers = [one for batch in files.read(10) for one in batch]
    files.raise_faults()
    return papers


def faults_of(folder: Path, content: str | bytes, name: str = "x.txt") -> list[tuple[str, str]]:
    return [(it.place, it.code) for it in read(folder, content, name).faults.listed]


def xml(*records: str) -> str:
    return f"<PubmedArticleSet>\n{''.join(records)}</PubmedArticleSet>"


def record(pmid: str, title: str = "A title") -> str:
    inside = f"<PMID>{pmid}</PMID><Article><ArticleTitle>{title}</ArticleTitle></Article>"
    return f"<PubmedArticle><MedlineCitation>{inside}</MedlineCitation></PubmedArticle>\n"


def test_pubmed_xml_gives_number_date_title_and_labelled_abstract(tmp_path: Path) -> None:
    assert papers_of(tmp_path, PUBMED) == [
        PaperRecord("101", "2004-05-07", "Aspirin and PTGS2 & pain", "AIM: Pain.\nIt helps."),
        PaperRecord("102", "1999", "Headache", ""),
    ]


def test_bioc_xml_gives_title_and_abstract_of_documents_and_full_texts(tmp_path: Path) -> None:
    assert papers_of(tmp_path, BIOC_XML) == [
        PaperRecord("201", "2010", "Metformin and longevity", "In worms."),
        PaperRecord("202", "", "Full text", ""),
        PaperRecord("203", "", "Full text by its number of PMC", ""),
    ]


TITLE = {"section_type": "TITLE", "type": "front"}
# As PubTator exports it: the PMC id of its full text is on the passage of the title.
ABSTRACT_INFONS = {"type": "title", "article-id_pmc": "PMC10425847"}


def full_text(identifier: object, infons: dict[str, str], **own: object) -> str:
    passages = [{"infons": TITLE | infons, "text": "A full text"}]
    return json.dumps({"id": identifier, "infons": {}, "passages": passages, **own}) + "\n"


@pytest.mark.parametrize(
    ("identifier", "infons", "own"),
    [
        ("6", {"article-id_pmc": "6"}, {}),
        (6, {"article-id_pmc": "PMC6"}, {}),
        ("6", {"article-id_pmcid": "PMC6"}, {}),
        ("6", {}, {"pmid": None, "pmcid": "PMC6"}),
        ("6", {"article-id_pmc": "6", "article-id_pmid": " "}, {}),
        ("06", {"article-id_pmc": "PMC6.1"}, {}),
        (10425847, ABSTRACT_INFONS, {}),
        ("PMC6", {}, {}),
    ],
)
def test_a_number_of_pmc_is_never_taken_for_a_pmid_that_is_before_a_cut_off(
    tmp_path: Path, identifier: object, infons: dict[str, str], own: dict[str, object]
) -> None:
    files = read(tmp_path, full_text(identifier, infons, **own))
    [fault] = files.faults.listed
    assert fault.message == f"The document {identifier} states a PMC id and no PMID."
    assert (fault.place, fault.code, files.papers) == ("papers.txt, line 1", "identifier", 0)


ABSTRACT_XML = """<?xml version="1.0"?><collection><document><id>37317646</id>
<passage><infon key="type">title</infon><infon key="article-id_pmc">PMC10425847</infon>
<text>An abstract</text></passage></document></collection>"""


def abstract_json(**own: object) -> str:
    passages = [{"infons": ABSTRACT_INFONS, "text": "An abstract"}]
    return json.dumps({"PubTator3": [{"id": "37317646", "passages": passages, **own}]})


@pytest.mark.parametrize(
    "content",
    [ABSTRACT_XML, abstract_json(), abstract_json(pmid=37317646, pmcid="PMC10425847")],
    ids=["XML", "JSON", "JSON with ids"],
)
def test_an_abstract_that_states_its_pmc_id_has_the_pmid_of_its_document(
    tmp_path: Path, content: str
) -> None:
    assert papers_of(tmp_path, content) == [PaperRecord("37317646", "", "An abstract", "")]


@pytest.mark.parametrize(
    ("identifier", "infons", "own"),
    [
        ("6", {"article-id_pmc": "6", "article-id_pmid": "30374072"}, {}),
        ("6", {"article-id_pmid": "30374072"}, {}),
        ("6", {}, {"pmid": 30374072, "pmcid": "PMC6"}),
        ("30374072", {}, {"pmcid": None}),
        ("30374072", {"pmid": "6"}, {}),
        ("PMC6", {"pmid": "30374072"}, {}),
    ],
)
def test_the_stated_pmid_of_a_full_text_comes_before_the_number_of_its_document(
    tmp_path: Path, identifier: object, infons: dict[str, str], own: dict[str, object]
) -> None:
    [paper_read] = papers_of(tmp_path, full_text(identifier, infons, **own))
    assert paper_read.pmid == 30374072


@pytest.mark.parametrize(
    "content",
    [BIOC_JSON, BIOC_JSON_LINES, json.dumps({"PubTator3": [BIOC_DOCUMENT]})],
    ids=["collection", "lines", "PubTator3"],
)
def test_bioc_json_gives_the_same_in_each_form(tmp_path: Path, content: str) -> None:
    expected = PaperRecord("301", "2019-04-01", "Riluzole slows ALS", "By months.")
    assert papers_of(tmp_path, content) == [expected]


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.bz2"])
def test_json_lines_are_read_as_they_are_also_compressed(tmp_path: Path, name: str) -> None:
    content = json_lines(paper("7", " β-blockers ", "2001-02"), paper("SYN:3", "Made up"))
    first, second = papers_of(tmp_path, content, name)
    assert (first.title, first.pmid, second.pmid) == (" β-blockers ", 7, None)


def test_every_fault_of_every_file_is_listed_with_its_line(tmp_path: Path) -> None:
    lines = json_lines(
        paper("1", "Good"),
        paper("0", "No such number"),
        paper("2", "No such day", "2001-02-30"),
        paper("3", ""),
        paper("1", "Again"),
        {"id": "4", "title": 5},
        {"id": "5", "title": "x", "pmid": 5},
        paper("6", "NUL \x00"),
    )
    write_files(tmp_path, {"a.jsonl": lines + "{\n", "b.xml": xml(record("x"), record("8"))})
    files = PaperFiles.open([tmp_path / "a.jsonl", tmp_path / "b.xml"])
    list(files.read(3))
    assert [(it.place, it.code) for it in files.faults.listed] == [
        ("a.jsonl, line 2", "identifier"),
        ("a.jsonl, line 3", "date"),
        ("a.jsonl, line 4", "empty"),
        ("a.jsonl, line 5", "repeated"),
        ("a.jsonl, line 6", "wrong_type"),
        ("a.jsonl, line 7", "unknown_field"),
        ("a.jsonl, line 8", "nul"),
        ("a.jsonl, line 9", "json"),
        ("b.xml, line 2", "identifier"),
    ]
    assert files.papers == 2


BOMB = '<!DOCTYPE PubmedArticleSet [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
EXTERNAL = '<!DOCTYPE PubmedArticleSet [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (BOMB + xml(record("1", "&b;")), "declarations"),
        (EXTERNAL + xml(record("1", "&a;")), "declarations"),
        (xml(record("1", "&undeclared;")), "xml"),
        ('<!DOCTYPE PubmedArticleSet SYSTEM "x.dtd">' + xml(record("1", "&a;")), "declarations"),
        (xml("<a>" * 100 + "</a>" * 100), "too_deep"),
        (xml(record("1"))[:-30], "xml"),
        (xml(record("1", "x" * 5_000_000)), "too_large"),
        (xml(record("1", "<i/>" * 300_000)), "too_large"),
        (f"<PubmedArticleSet a='{'x' * 40_000_000}'>", "too_long"),
        ("<x/><PubmedArticleSet>", "not_recognised"),
        ("", "not_recognised"),
        (xml(record("1")).encode("utf-16"), "encoding"),
    ],
)
def test_hostile_and_broken_xml_is_refused(tmp_path: Path, content: str, code: str) -> None:
    assert [matched for _, matched in faults_of(tmp_path, content)] == [code]


def test_a_decompression_bomb_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xml.gz"
    path.write_bytes(gzip.compress(xml(record("1", " " * 3_000_000)).encode()))
    files = PaperFiles.open([path], ReadLimits(expanded_floor=1_000_000))
    list(files.read(10))
    assert [it.code for it in files.faults.listed] == ["too_large"]


def test_damaged_json_is_a_fault_and_not_an_exception(tmp_path: Path) -> None:
    assert [code for _, code in faults_of(tmp_path, BIOC_JSON[:-40])] == ["truncated"]
    deep = '{"documents": [' + "[" * 100_000
    assert [code for _, code in faults_of(tmp_path, deep)] == ["json"]
    odd = json.dumps({"documents": [3, {"id": 4}, {"id": "5", "passages": [1]}]})
    assert [code for _, code in faults_of(tmp_path, odd)] == ["wrong_type", "wrong_type", "empty"]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.xml"
        path.write_text(xml(*(record(str(at), "word " * 100) for at in range(1, count + 1))))
        files = PaperFiles.open([path])
        tracemalloc.start()
        for _ in files.read(100):
            pass
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert files.papers == count
        return peak

    peak(100)
    assert peak(16_000) < 1.5 * peak(4_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2004", "2004-12-31"),
        ("2004-02", "2004-02-29"),
        ("2004-12", "2004-12-31"),
        ("2004-02-03", "2004-02-03"),
        ("9999", "9999-12-31"),
        ("0000", None),
        ("2004-13", None),
        ("2004-00", None),
        ("2003-02-29", None),
        ("04", None),
        ("", None),
    ],
)
def test_the_last_day_that_a_date_may_mean(text: str, expected: str | None) -> None:
    day = last_possible_day(text)
    assert (day and day.isoformat()) == expected


def test_surrogates_are_refused() -> None:
    assert not isinstance(check_paper({"id": "1", "title": "\ud800"}), PaperRecord)


@pytest.fixture
def _plugin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("SERENDIB_PLUGINS", "tests.plugins")
    paper_formats.cache_clear()
    yield
    paper_formats.cache_clear()


@pytest.mark.usefixtures("_plugin")
def test_a_format_of_a_plugin_is_recognised_without_a_change_of_any_file(tmp_path: Path) -> None:
    assert papers_of(tmp_path, "#titles\n7\tA title\n") == [PaperRecord("7", "", "A title", "")]
    assert faults_of(tmp_path, "#titles\n7\t\n") == [("x.txt, line 2", "empty")]
