"""The demo's releases: what each is made of, and the source files of those about its graph."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from pydantic import TypeAdapter

from backend.benchmarks.demo import DEMO_QUESTIONS_FILE, load_demo_questions
from backend.benchmarks.formats.serenqa.export import export_partitions
from backend.benchmarks.hop_questions.construction import HopFactory, HopOptions
from backend.benchmarks.hop_questions.type_steps import paper_metapaths
from backend.benchmarks.link_discoveries.construction import DiscoveryFactory, DiscoveryOptions
from backend.benchmarks.models import Partition
from backend.benchmarks.releases import ReleaseRequest
from backend.graphs.graph_access import open_version_snapshot
from backend.graphs.models import Version
from backend.tracks.biohopr.rows import HopRow
from backend.tracks.dyport.rows import LinkRow

SOURCES = settings.FIXTURES / "demo" / "releases"
CLAIMS_FILE = settings.FIXTURES / "claims.jsonl"
TEST_SHARE = 0.7
SEED = 12
HOP_QUESTIONS = 12  # of two hops, of each metapath
LINK_YEARS = DiscoveryOptions(train_year=2004, test_year=2012, importance_year=2020, seed=SEED)
TERMS = (
    "For trying out Serendib. The answers are in the public source code, so a rank shows nothing "
    "about a model."
)
# The files in a folder that lasts until the release is made.
WriteSources = Callable[[Version, Path], Sequence[Path]]


@dataclass(frozen=True)
class DemoRelease:
    """simulated: the name of its simulated models, of which `suffixes` have entries.

    write_sources: finds or writes the files of its items. masked_by: see ReleaseRequest.
    simulates_dev: whether the simulated models have entries on the dev split; on the test split
    they have them where it has items.
    """

    track: str
    name: str
    slug: str
    write_sources: WriteSources
    simulated: str
    data_card: str
    suffixes: str = "ABCDEFGHIJKL"
    test_share: float = TEST_SHARE
    masked_by: str = ""
    cutoff: int | None = None
    simulates_dev: bool = False

    def request(self, version: Version) -> ReleaseRequest:
        metadata = {
            "licence": "CC0-1.0",
            "citation": "Serendib demo releases",
            "data_card": self.data_card,
            "terms": TERMS,
        }
        return ReleaseRequest(
            track=self.track,
            name=self.name,
            slug=self.slug,
            graph_version=version,
            test_share=self.test_share,
            seed=SEED,
            metadata=metadata,
            is_demo=True,
            masked_by=self.masked_by,
            cutoff=self.cutoff,
        )


def stored_file(name: str) -> WriteSources:
    return lambda version, folder: [SOURCES / name]


def write_serenqa_sources(version: Version, folder: Path) -> Sequence[Path]:
    """The demo's questions and their partitions on the graph, without paths: those take as long as
    the machine lets them, and the same release must be found again."""
    question_set = load_demo_questions(version).question_set
    partitions = folder / "partitions.json"
    partitions.write_bytes(export_partitions(question_set))
    return [DEMO_QUESTIONS_FILE, partitions]


def write_hop_sources(version: Version, folder: Path) -> Sequence[Path]:
    graph = open_version_snapshot(version)
    factory = HopFactory(graph, HopOptions(count=HOP_QUESTIONS, forms=("single",)))
    rows, path = TypeAdapter(HopRow), folder / "questions.jsonl"
    lines = (rows.dump_json(row) + b"\n" for row in factory.write(paper_metapaths(graph)))
    path.write_bytes(b"".join(lines))
    return [path]


def write_link_sources(version: Version, folder: Path) -> Sequence[Path]:
    factory = DiscoveryFactory(open_version_snapshot(version), LINK_YEARS)
    rows, path = TypeAdapter(LinkRow), folder / "pairs.jsonl"
    path.write_bytes(b"".join(rows.dump_json(row) + b"\n" for row in factory.rows()))
    return [path]


DEMO = (
    DemoRelease(
        track="truthhypo",
        name="Withheld edges of the demo graph",
        slug="demo-hypotheses",
        write_sources=stored_file("truthhypo/pairs.tsv"),
        simulated="Simulated hypothesizer",
        data_card=(
            "Pairs of entities of the demo graph: some have an edge that baselines do not see, "
            "the others have none. 'no_relation' states what the demo graph lacks, not what "
            "medicine knows. Drawn by chance, not published hypotheses; nothing here is medical "
            "advice."
        ),
    ),
    DemoRelease(
        track="stark-prime",
        name="Questions about the demo graph",
        slug="demo-questions",
        write_sources=stored_file("stark-prime/questions.csv"),
        simulated="Simulated retriever",
        data_card=(
            "Questions that need the relations of the demo graph, its documents, or both. Written "
            "by hand for the demo; answers are what the demo graph holds, no more. Predictions "
            "name its identifiers. Nothing here is medical advice."
        ),
    ),
)
# Made in the background: queries are run, walks are scored.
BACKGROUND_DEMO = (
    DemoRelease(
        track="serenqa-retrieval",
        name="Queries on the masked demo graph",
        slug="demo-queries",
        write_sources=write_serenqa_sources,
        simulated="Simulated graph reader",
        suffixes="ACEHJL",
        masked_by=Partition.Method.RNS,
        data_card=(
            "The demo's questions on its graph without the edges that reveal serendipitous "
            "answers, as RNS divides them. Predictions are Cypher queries or identifiers. Answers "
            "are what the demo graph holds, no more; nothing here is medical advice."
        ),
    ),
    DemoRelease(
        track="serenqa-exploration",
        name="Walks through the demo graph",
        slug="demo-walks",
        write_sources=write_serenqa_sources,
        simulated="Simulated graph reader",
        data_card=(
            "From each known answer of the demo's questions to those that RNS counts as "
            "serendipitous. RNS computes them from the demo graph; no physician judged them. "
            "Nothing here is medical advice."
        ),
    ),
    DemoRelease(
        track="biohopr",
        name="One and two hops of the demo graph",
        slug="demo-hops",
        write_sources=write_hop_sources,
        simulated="Simulated answerer",
        test_share=1.0,
        data_card=(
            "Questions over one and two relations of the demo graph, each two-hop question with "
            "its one-hop partner. Drawn by chance; answers are what the demo graph holds, no "
            "more. Nothing here is medical advice."
        ),
    ),
    DemoRelease(
        track="biohopr",
        name="One and two hops with their answers",
        slug="demo-hops-dev",
        write_sources=write_hop_sources,
        simulated="Simulated answerer",
        suffixes="ACEH",
        test_share=0.0,
        simulates_dev=True,
        data_card=(
            "The questions of 'One and two hops of the demo graph' as a dev split: results show "
            "which answers are right, plausible and wrong. Nothing here is medical advice."
        ),
    ),
    DemoRelease(
        track="dyport",
        name="Later links of the demo graph, synthetic years",
        slug="demo-later-links",
        write_sources=write_link_sources,
        simulated="Simulated forecaster",
        simulates_dev=True,
        cutoff=LINK_YEARS.train_year,
        data_card=(
            "Links of the demo graph that were first seen from 2005 to 2012, beside pairs that "
            "were never linked until 2020. Most years are synthetic: drawn by chance, so they "
            "show nothing about medicine. Only 158 uses of drugs have the year of their approval "
            "by the FDA, from memory, and 46 edges that of the paper they cite. Nothing here is "
            "medical advice."
        ),
    ),
)
