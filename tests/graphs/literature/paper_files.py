"""Small files of papers in every format, and collections made of them."""

import json
from collections.abc import Sequence
from pathlib import Path

from backend.graphs.literature.collections import PaperImport
from backend.graphs.literature.import_service import begin_paper_import
from backend.graphs.models import Collection
from backend.jobs.models import JobState
from backend.jobs.runner import run_job

PUBMED = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN"
 "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
<PubmedArticle><MedlineCitation Status="MEDLINE"><PMID Version="1">101</PMID>
<Article><Journal><JournalIssue><PubDate><Year>2004</Year><Month>May</Month><Day>7</Day></PubDate>
</JournalIssue></Journal><ArticleTitle>Aspirin and <i>PTGS2</i> &amp; pain</ArticleTitle>
<Abstract><AbstractText Label="AIM">Pain.</AbstractText>
<AbstractText>It <b>helps</b>.</AbstractText>
</Abstract></Article>
<CommentsCorrectionsList><CommentsCorrections><PMID>999</PMID></CommentsCorrections>
</CommentsCorrectionsList></MedlineCitation></PubmedArticle>
<PubmedBookArticle><BookDocument><PMID>77</PMID></BookDocument></PubmedBookArticle>
<PubmedArticle><MedlineCitation><PMID>102</PMID><Article><Journal><JournalIssue><PubDate>
<MedlineDate>1998 Dec-1999 Jan</MedlineDate></PubDate></JournalIssue></Journal>
<ArticleTitle>Headache</ArticleTitle></Article></MedlineCitation></PubmedArticle>
</PubmedArticleSet>
"""
BIOC_XML = """<?xml version="1.0"?>
<!DOCTYPE collection SYSTEM "BioC.dtd">
<collection><source>PubTator</source><date/><key>BioC.key</key>
<document><id>201</id>
<passage><infon key="type">title</infon><infon key="year">2010</infon><offset>0</offset>
<text>Metformin and longevity</text></passage>
<passage><infon key="type">abstract</infon><offset>24</offset><text>In worms.</text>
<annotation id="1"><infon key="type">Chemical</infon><text>ignored</text></annotation></passage>
</document>
<document><id>PMC5</id>
<passage><infon key="article-id_pmid">202</infon><infon key="section_type">TITLE</infon>
<infon key="type">front</infon><text>Full text</text></passage>
<passage><infon key="section_type">INTRO</infon><infon key="type">paragraph</infon>
<text>Not read.</text></passage></document>
<document><id>6</id>
<passage><infon key="article-id_pmc">6</infon><infon key="article-id_pmid">203</infon>
<infon key="section_type">TITLE</infon><infon key="type">front</infon>
<text>Full text by its number of PMC</text></passage></document>
</collection>
"""
BIOC_DOCUMENT = {
    "id": "301",
    "date": "2019-04-01T00:00:00Z",
    "infons": {},
    "passages": [
        {"infons": {"type": "title"}, "text": "Riluzole slows ALS"},
        {"infons": {"type": "abstract"}, "text": "By months."},
    ],
}
BIOC_JSON = json.dumps({"source": "PubTator", "documents": [BIOC_DOCUMENT]}, indent=1)
BIOC_JSON_LINES = json.dumps(BIOC_DOCUMENT) + "\n"


def json_lines(*papers: dict[str, object]) -> str:
    return "".join(json.dumps(paper) + "\n" for paper in papers)


def paper(identifier: str, title: str, date: str = "", abstract: str = "") -> dict[str, object]:
    return {"id": identifier, "date": date, "title": title, "abstract": abstract}


def make_collection(
    folder: Path, papers: Sequence[dict[str, object]], name: str = "Papers", **more: bool
) -> Collection:
    path = folder / f"{name}.jsonl"
    path.write_text(json_lines(*papers))
    request = PaperImport(name, "CC0", is_public=more.get("is_public", True))
    job = begin_paper_import(actor=None, request=request, files=[path.name])
    run_job(job.pk, inputs={"paths": [path]})
    job.refresh_from_db()
    assert job.state == JobState.SUCCEEDED, job.error
    return Collection.objects.get(slug=job.result["collection"])
