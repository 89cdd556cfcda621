"""Small graphs for tests: on the disk once in a run, in the database for each test."""

import tempfile
import uuid
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from backend.accounts.models import User
from backend.graphs.importers.catalogue import open_source
from backend.graphs.imports import Wanted, begin_import
from backend.graphs.models import Graph, GraphImport, GraphShare, Version
from backend.graphs.pipeline import run_import
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.reports import Built
from tests.graphs.importers.making import write

ASPIRIN, COX1, COX2, HEADACHE = "DRUGBANK:DB00945", "HGNC:9604", "HGNC:9605", "HP:0002315"
ENTITIES = f"""id,name,type,synonyms,xrefs,document
{ASPIRIN},Aspirin,Drug,ASA|Acetylsalicylic acid,CHEBI:15365|LOCAL:7,An old drug.
{COX1},PTGS1,Gene,COX1,,
{COX2},PTGS2,Gene,COX2,,
{HEADACHE},Headache,Phenotype,,,
"""
EDGES = f"""source,relation,target,score,evidence,publications
{ASPIRIN},inhibits,{COX1},0.5,DrugBank,PMID:1|PMID:2
{ASPIRIN},inhibits,{COX2},,,
{ASPIRIN},treats,{HEADACHE},,label,
"""
RELATIONS = """name,forward,backward,symmetric
inhibits,inhibits,is inhibited by,no
treats,treats,is treated by,no
"""
FILES: Mapping[str, str | bytes] = {
    "entities.csv": ENTITIES,
    "edges.csv": EDGES,
    "relations.csv": RELATIONS,
}


def files_with(**changes: str | bytes) -> dict[str, str | bytes]:
    """The small graph's files, some of them otherwise."""
    return {**FILES, **{f"{name}.csv": content for name, content in changes.items()}}


def longer(*rows: str) -> dict[str, str | bytes]:
    """The small graph with more edges: another version of it."""
    return files_with(edges=EDGES + "".join(f"{row}\n" for row in rows))


def built() -> Built:
    """Made anew where a test of removing has taken it: versions of equal content share a folder."""
    if not (_built().path / "manifest.json").exists():
        _built.cache_clear()
    return _built()


@cache
def _built() -> Built:
    folder = write(Path(tempfile.mkdtemp(dir=Path(settings.SNAPSHOTS).parent)), FILES)
    return build_snapshot(open_source([folder]).source, Path(settings.SNAPSHOTS))


def make_graph(
    owner: User | None = None,
    visibility: str = Graph.Visibility.PRIVATE,
    *,
    studies: Sequence[uuid.UUID] = (),
    name: str = "",
) -> Version:
    """The small graph, ready to be read, with one version."""
    unique = name or f"Graph {uuid.uuid4().hex}"
    graph = Graph.objects.create(
        name=unique, slug=unique.lower().replace(" ", "-"), owner=owner, visibility=visibility
    )
    GraphShare.objects.bulk_create(GraphShare(graph=graph, study=study) for study in studies)
    return Version.objects.create(
        graph=graph,
        snapshot=built().path.name,
        number=1,
        entities=built().entities,
        edges=built().edges,
        created_by=owner,
        ready_at=timezone.now(),
    )


def uploads(files: Mapping[str, str | bytes] = FILES) -> list[SimpleUploadedFile]:
    return [
        SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)
        for name, content in files.items()
    ]


def imported(folder: Path, files: Mapping[str, str | bytes] = FILES, **more: Any) -> GraphImport:
    """What becomes of files that are imported here and now."""
    actor = more.pop("actor", None)
    wanted = Wanted(**{"name": "Small", **more})
    row = begin_import(actor=actor, wanted=wanted, files=[folder.name])
    run_import(row.pk, [write(folder, files)])
    row.refresh_from_db()
    return row
