"""The wheel works where neither Django nor a checkout is."""

import json
import zipfile
from pathlib import Path

import pytest

from backend.client import validate_file
from backend.tracks.registry import load_tracks
from tests.client.installed_client import InstalledClient, install_client
from tests.tracks.releases import labels_of, parquet_file, truthhypo, zstd_file
from tools.client_wheel import build_wheel, rename_imports

IMPORT_ALL = """
import importlib, pkgutil, sys
import serendib
for one in pkgutil.walk_packages(serendib.__path__, "serendib."):
    if not one.name.endswith("__main__") and ".parquet_" not in one.name:
        importlib.import_module(one.name)
from serendib.tracks.registry import load_tracks
print(*[track.slug for track in load_tracks().values() if track.documentation()])
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
NOT_NEEDED = {"django", "celery", "rest_framework", "scipy", "numba", "pyarrow", "backend", "tools"}


def test_the_wheel_has_one_package_and_names_no_other(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        sources = [archive.read(name).decode() for name in names if name.endswith(".py")]
    assert {name.split("/")[0] for name in names} == {"serendib", "serendib-0.1.0.dist-info"}
    assert not any(f"{word} backend" in source for source in sources for word in ("from", "import"))


def test_the_same_sources_give_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    assert build_wheel(tmp_path).read_bytes() == wheel.read_bytes()


def test_every_module_is_imported_without_the_server(
    installed: InstalledClient, tmp_path: Path
) -> None:
    ran = installed.run("python", "-c", IMPORT_ALL, cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    tracks, modules = (set(line.split()) for line in ran.stdout.splitlines())
    assert tracks == set(load_tracks()) - {"nearest-number"}
    assert not modules & NOT_NEEDED
    absent = "import importlib.util as u; print(*[n for n in {} if u.find_spec(n)])"
    ran = installed.run("python", "-c", absent.format(sorted(NOT_NEEDED)), cwd=tmp_path)
    assert (ran.returncode, ran.stdout.strip()) == (0, "")


@pytest.mark.parametrize("slug", sorted(set(load_tracks()) - {"nearest-number"}))
def test_the_example_of_each_track_is_valid(
    installed: InstalledClient, slug: str, tmp_path: Path
) -> None:
    track = load_tracks()[slug]
    files = [str(track.example_file), "--items", str(track.example_items_file)]
    ran = installed.run("serendib", "validate", *files, "--track", slug, "--json", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr
    here = validate_file(track.example_file, track=slug, items=track.example_items_file)
    assert json.loads(ran.stdout) == json.loads(here.model_dump_json())
    assert here.is_valid and here.digest


def test_parquet_and_zstd_need_the_extra(wheel: Path, tmp_path: Path) -> None:
    client = install_client(wheel, tmp_path / "venv")
    release = truthhypo()
    rows = labels_of(release, [answer.label for answer in release.answers])
    (tmp_path / "p.parquet").write_bytes(parquet_file(rows))
    (tmp_path / "p.json.zst").write_bytes(zstd_file(json.dumps(rows).encode()))
    for name in ("p.parquet", "p.json.zst"):
        ran = client.run("serendib", "validate", name, "--track", "truthhypo", cwd=tmp_path)
        assert ran.returncode == 1
        assert "needs pyarrow" in ran.stdout and "pip install 'serendib[parquet]'" in ran.stdout
    client.add_extra("parquet")
    for name in ("p.parquet", "p.json.zst"):
        ran = client.run("serendib", "validate", name, "--track", "truthhypo", cwd=tmp_path)
        assert (ran.returncode, ran.stdout[:5]) == (0, "2,024"), ran.stdout


@pytest.mark.parametrize(
    "words",
    [["validate"], ["validate", "x.csv", "--track", "none"], ["--none"], ["follow", "../models"]],
)
def test_errors_of_usage_end_with_status_2(
    installed: InstalledClient, words: list[str], tmp_path: Path
) -> None:
    ran = installed.run("serendib", *words, cwd=tmp_path)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr and "Traceback" not in ran.stderr


def test_only_imports_are_renamed() -> None:
    source = 'from backend.a import b\nTEXT = "from backend.a import b"\n'
    assert rename_imports(source) == source.replace("from backend.a", "from serendib.a", 1)
    with pytest.raises(ValueError, match="Line 1"):
        rename_imports("import backend.a\n")
