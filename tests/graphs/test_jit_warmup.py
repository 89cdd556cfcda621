"""What is compiled ahead is what a reader's question runs, in a process that nothing warmed."""

import subprocess
import sys

from django.conf import settings

SCRIPT = """
import django
django.setup()
import tempfile
from pathlib import Path
from backend.graphs.path_queries import search_paths
from backend.graphs.search.name_search import NameSearch
from backend.graphs.search.index_cache import get_term_index
from backend.graphs.snapshots.builder import build_snapshot
from backend.graphs.snapshots.snapshot import open_snapshot
from backend.graphs.subgraph_queries import find_subgraph
from backend.graphs.walk_queries import walk_randomly
from backend.graphs.jit_warmup import compile_kernels
from backend.science.paths import PathQuery
from backend.runtime.cancellation import CancellationToken
from tests.compiled_kernels import count_signatures
from tests.graphs.served_graph import medicine_rows

compile_kernels()
with tempfile.TemporaryDirectory() as folder:
    view = open_snapshot(build_snapshot(medicine_rows(), Path(folder)).path)
    before = count_signatures()
    ends = [view.find_number("DRUGBANK:DB00945")], [view.find_number("HP:0002315")]
    options = {"order": "degree", "max_degree": 10, "shortest_only": True}
    for question in (PathQuery(*ends), PathQuery(*ends, **options)):
        assert search_paths(view, question, CancellationToken()).total
    walk_randomly(view, ends[0][0], 5, seed=1, restart=0.2, stop=CancellationToken())
    find_subgraph(view, ends[0] + ends[1], CancellationToken())
    for typed in ("acid", "acetylsalicylic acid", "acetylsalicyic", "asid acetylsalicyic"):
        assert NameSearch(view, get_term_index(view), 20).execute(typed).hits
after = count_signatures()
assert before["backend.science.path_kernels.join_rows"]
print({name: count for name, count in after.items() if count != before.get(name)})
"""


def test_a_query_after_the_warm_up_compiles_nothing() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=settings.ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "{}"
