"""What is compiled ahead is what a reader's question runs, in a process that nothing warmed."""

import subprocess
import sys

from django.conf import settings

SCRIPT = """
import django
django.setup()
import sys, tempfile
from pathlib import Path
from backend.graphs.paths import search_paths
from backend.graphs.search.names import Search
from backend.graphs.search.opening import lexicon_of
from backend.graphs.snapshots.building import build_snapshot
from backend.graphs.snapshots.opening import open_snapshot
from backend.graphs.subgraph import subgraph_of
from backend.graphs.walks import walk_from
from backend.graphs.warming import compile_kernels
from backend.science.paths import Question
from backend.science.stopping import Stop
from tests.graphs.living import medicine

def compiled():
    found = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("backend."):
            for key, value in vars(module).items():
                if hasattr(value, "signatures"):
                    found[f"{value.__module__}.{key}"] = len(value.signatures)
    return found

compile_kernels()
with tempfile.TemporaryDirectory() as folder:
    view = open_snapshot(build_snapshot(medicine(), Path(folder)).path)
    before = compiled()
    ends = [view.number_of("DRUGBANK:DB00945")], [view.number_of("HP:0002315")]
    for question in (Question(*ends), Question(*ends, order="degree", hub=10, shortest=True)):
        assert search_paths(view, question, Stop()).found
    walk_from(view, ends[0][0], 5, seed=1, restart=0.2, stop=Stop())
    subgraph_of(view, ends[0] + ends[1], Stop())
    for typed in ("acid", "acetylsalicylic acid", "acetylsalicyic", "asid acetylsalicyic"):
        assert Search(view, lexicon_of(view), 20).run(typed).hits
after = compiled()
assert before["backend.science.path_kernels.join_rows"]
print({name: count for name, count in after.items() if count != before.get(name)})
"""


def test_a_question_after_warming_compiles_nothing() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=settings.ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "{}"
