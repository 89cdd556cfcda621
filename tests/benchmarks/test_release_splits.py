"""Items of one cluster are in one split, whatever the share of test items and the seed."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable
from pathlib import Path

import pytest

from backend.benchmarks.models import Item, ReleaseSplit
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.benchmarks.split_rows import load_contents
from backend.tracks.registry import load_tracks
from tests.evaluation.truthhypo_files import HEADER, LABELS, key_of

pytestmark = pytest.mark.django_db
CLUSTERS = 20


def write_both_directions(folder: Path) -> Path:
    """Each pair of entities twice; in the second half of the file the other way round."""
    keys = [key_of(number) for number in range(CLUSTERS)]
    keys += [(y_id, x_id) for x_id, y_id in reversed(keys)]
    path = folder / "edges_test.tsv"
    rows = ("\t".join([*key, "A", "B", "A & B", LABELS[0], "How?"]) for key in keys)
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows))
    return path


def write_subjects(folder: Path) -> Path:
    """Each subject has as many positives as its number modulo 3, and one more, with negatives."""
    same = {"subject_type": "Drug", "object_type": "Disease", "year": 2016}
    rows = [
        {"id": f"{kind}{at}-{subject}", "subject": f"S:{subject}", "object": f"{kind}:{at}", **same}
        | ({"negative_of": f"P{at}-{subject}"} if kind == "N" else {})
        for kind in "PN"
        for at in range(3)
        for subject in range(CLUSTERS)
        if at <= subject % 3
    ]
    path = folder / "links.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("share", [0.25, 0.5])
@pytest.mark.parametrize(
    ("track", "write"), [("truthhypo", write_both_directions), ("dyport", write_subjects)]
)
def test_a_split_never_divides_a_cluster(
    tmp_path: Path, track: str, write: Callable[[Path], Path], share: float, seed: int
) -> None:
    request = ReleaseRequest(track=track, name="Split", test_share=share, seed=seed)
    release = make_release(actor=None, request=request, files=[write(tmp_path)])
    splits, sizes = defaultdict(set), Counter[Hashable]()
    for split in ReleaseSplit.values:
        for item in load_contents(release, split):
            cluster = load_tracks()[track].cluster(item)
            splits[cluster].add(split)
            sizes[cluster] += 1
    assert len(splits) == CLUSTERS and max(sizes.values()) > 1
    assert sum(sizes.values()) == Item.objects.filter(release=release).count()
    assert {len(one) for one in splits.values()} == {1}
    assert sum(one == {"test"} for one in splits.values()) == share * CLUSTERS
