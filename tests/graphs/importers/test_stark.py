"""STaRK's pickles are converted by a reader that runs nothing, then imported as JSON lines."""

import json
import os
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.graphs.importers.common.input_files import FileRefused
from backend.graphs.importers.registry import open_source
from backend.graphs.importers.stark.convert import main
from backend.graphs.importers.stark.safe_pickle import PickleRefused, load_pickle, load_tensor
from backend.graphs.source_records import EdgeRow, NodeRow, Section
from tests.graphs.importers.factories import drop_reasons, edge_rows, node_rows, open_files

NAN = float("nan")
INFO = {
    0: {
        "id": 5742,
        "type": "gene/protein",
        "name": "PTGS1",
        "source": "NCBI",
        "details": {"alias": ["COX1", "COX-1"], "summary": "Makes prostaglandins", "taxid": NAN},
    },
    1: {"id": "DB00945", "type": "drug", "name": "Aspirin", "source": "DrugBank"},
    2: {
        "id": "5277_7",
        "type": "disease",
        "name": "migraine",
        "source": "MONDO_grouped",
        "details": {"mondo_definition": "A headache.", "mondo_id": 5277, "mayo_symptoms": None},
    },
    3: {"id": "x", "type": "brand", "name": "Elsewhere", "source": "Amazon"},
}
TYPES = {0: "target", 1: "indication", 2: "also bought"}
INDEX = np.array([[0, 1, 2, 1, 3], [1, 0, 1, 2, 3]])
KINDS = np.array([0, 0, 1, 1, 2])


def pickle_text(word: str) -> bytes:
    return b"X" + len(word).to_bytes(4, "little") + word.encode()


def pickle_number(value: int) -> bytes:
    return b"J" + value.to_bytes(4, "little", signed=True)


def pickle_list(values: Sequence[int]) -> bytes:
    return b"(" + b"".join(map(pickle_number, values)) + b"t"


def write_tensor(
    path: Path,
    array: "np.ndarray[Any, Any]",
    *,
    size: Sequence[int] | None = None,
    offset: int = 0,
    storage: str = "LongStorage",
) -> Path:
    """A file as torch.save writes it, byte by byte: the tests need no PyTorch."""
    size = array.shape if size is None else size
    stride = [step // array.itemsize for step in array.strides]
    locked = (
        pickle_text("storage"),
        f"ctorch\n{storage}\n".encode(),
        pickle_text("0"),
        pickle_text("cpu"),
    )
    pickled = (
        b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n(("
        + b"".join(locked)
        + pickle_number(array.size)
        + b"tQ"
        + pickle_number(offset)
        + pickle_list(size)
        + pickle_list(stride)
        + b"\x89ccollections\nOrderedDict\n)RtR."
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("edge_index/data.pkl", pickled)
        archive.writestr("edge_index/data/0", array.tobytes("A"))
    return path


def write_processed_folder(folder: Path, info: object = INFO) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "node_info.pkl").write_bytes(pickle.dumps(info))
    (folder / "edge_type_dict.pkl").write_bytes(pickle.dumps(TYPES))
    write_tensor(folder / "edge_index.pt", INDEX)
    write_tensor(folder / "edge_types.pt", KINDS)
    return folder


def test_a_knowledge_base_is_converted_and_imported_like_primekg(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "prime.jsonl"
    assert main([str(write_processed_folder(tmp_path / "processed")), str(file)]) == 0
    assert capsys.readouterr().out.startswith("4 nodes and 5 edges")
    graph = open_source([file])
    assert graph.format.name == "stark"
    assert node_rows(graph) == [
        NodeRow(
            "NCBIGene:5742",
            "gene/protein",
            "PTGS1",
            ("COX1", "COX-1"),
            ("STARK:0",),
            (Section("Summary", "Makes prostaglandins", "NCBI"),),
        ),
        NodeRow("DRUGBANK:DB00945", "drug", "Aspirin", (), ("STARK:1",)),
        NodeRow(
            "MONDO:0005277",
            "disease",
            "migraine",
            (),
            ("MONDO:0000007", "STARK:2"),
            (Section("Definition", "A headache.", "MONDO"),),
        ),
        NodeRow("STARK:3", "brand", "Elsewhere"),
    ]
    target = EdgeRow("DRUGBANK:DB00945", "drug_protein_target", "NCBIGene:5742")
    indication = EdgeRow("DRUGBANK:DB00945", "indication", "MONDO:0005277")
    other = EdgeRow("STARK:3", "also bought", "STARK:3")
    assert edge_rows(graph) == [target, target, indication, indication, other]


REVIEWS = [
    {"reviewerID": "A1", "summary": "Fine", "reviewText": "It fits.", "vote": NAN},
    {"reviewerID": "A2", "summary": "Sturdy", "reviewText": "Held for years.", "vote": "1,204"},
]
SHOP = {
    0: {
        "asin": "B00",
        "title": "Air hockey pucks",
        "price": "$9.99",
        "brand": "Brybelly",
        "feature": ["2.5 inches", "A dozen"],
        "description": ["Red pucks."],
        "details": [],
        "review": REVIEWS,
        "qa": [{"questionType": "yes/no", "question": "Do they glow?", "answer": "No."}],
    },
    1: {"title": "Strikers", "review": [], "qa": [], "description": []},
    2: {"brand_name": np.str_("Brybelly")},
}
LIBRARY = {
    0: {"type": "author", "DisplayName": "A. Person", "PaperCount": 3},
    1: {
        "type": "paper",
        "title": "On graphs",
        "abstract": "Graphs are shown.",
        "OriginalVenue": "-1",
        "Date": "2011-05-02",
    },
}


def convert(folder: Path, file: Path, info: object, links: list[tuple[int, int, int]]) -> None:
    """Of a knowledge base whose other files are in the folder."""
    (folder / "node_info.pkl").write_bytes(pickle.dumps(info))
    starts, ends, kinds = zip(*links, strict=True)
    write_tensor(folder / "edge_index.pt", np.array([starts, ends]))
    write_tensor(folder / "edge_types.pt", np.array(kinds))
    name = "mag" if info is LIBRARY else "amazon"
    assert main([str(folder), str(file), "--name", name]) == 0


def test_products_have_their_types_their_names_and_what_customers_write(tmp_path: Path) -> None:
    types, relations = {0: "product", 1: "brand"}, {0: "also_buy", 1: "has_brand"}
    (tmp_path / "node_type_dict.pkl").write_bytes(pickle.dumps(types))
    (tmp_path / "edge_type_dict.pkl").write_bytes(pickle.dumps(relations))
    write_tensor(tmp_path / "node_types.pt", np.array([0, 0, 1]))
    convert(tmp_path, tmp_path / "shop.jsonl", SHOP, [(0, 1, 0), (0, 2, 1)])
    graph = open_source([tmp_path / "shop.jsonl"])
    assert node_rows(graph) == [
        NodeRow(
            "STARK:0",
            "product",
            "Air hockey pucks",
            document=(
                Section("Description", "Red pucks.", ""),
                Section("Features", "2.5 inches\nA dozen", ""),
                Section("Reviews", "Sturdy: Held for years.\nFine: It fits.", ""),
                Section("Questions and answers", "Do they glow? No.", ""),
            ),
        ),
        NodeRow("STARK:1", "product", "Strikers"),
        NodeRow("STARK:2", "brand", "Brybelly"),
    ]
    assert edge_rows(graph) == [
        EdgeRow("STARK:0", "also_buy", "STARK:1"),
        EdgeRow("STARK:0", "has_brand", "STARK:2"),
    ]


def test_papers_have_the_relations_that_their_files_do_not_name(tmp_path: Path) -> None:
    convert(tmp_path, tmp_path / "mag.jsonl", LIBRARY, [(0, 1, 3)])
    graph = open_source([tmp_path / "mag.jsonl"])
    sections = (
        Section("Abstract", "Graphs are shown.", ""),
        Section("Publication date", "2011-05-02", ""),
    )
    assert node_rows(graph) == [
        NodeRow("STARK:0", "author", "A. Person"),
        NodeRow("STARK:1", "paper", "On graphs", document=sections),
    ]
    assert edge_rows(graph) == [EdgeRow("STARK:0", "author___writes___paper", "STARK:1")]


class HarmfulObject:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("true",)


@pytest.mark.parametrize(
    "value",
    [HarmfulObject(), [HarmfulObject()], {0: HarmfulObject()}, Path("x"), {0: {"id": print}}],
)
def test_a_pickle_that_names_a_function_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], value: object
) -> None:
    folder = write_processed_folder(tmp_path / "processed", value)
    assert main([str(folder), str(tmp_path / "prime.jsonl")]) == 1
    assert "node_info.pkl is not plain data: it names" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["processed"]


def test_numbers_of_numpy_and_ordered_dictionaries_are_plain_data(tmp_path: Path) -> None:
    value = {
        "a": np.float64(0.5),
        "b": np.int64(-7),
        "c": np.bool_(True),
        "d": OrderedDict(x=1),
        "e": np.dtype(">i4").type(3),
    }
    for protocol in (2, 4, 5):
        path = tmp_path / f"{protocol}.pkl"
        path.write_bytes(pickle.dumps(value, protocol))
        assert load_pickle(path) == {"a": 0.5, "b": -7, "c": True, "d": {"x": 1}, "e": 3}


def test_an_array_of_objects_is_not_plain_data(tmp_path: Path) -> None:
    path = tmp_path / "array.pkl"
    path.write_bytes(pickle.dumps(np.array([HarmfulObject()], dtype=object)))
    with pytest.raises(PickleRefused, match="not allowed"):
        load_pickle(path)


def test_a_tensor_is_read_as_pytorch_wrote_it(tmp_path: Path) -> None:
    for name, array in {"t.pt": INDEX, "u.pt": KINDS, "v.pt": INDEX.T}.items():
        assert load_tensor(write_tensor(tmp_path / name, array)).tolist() == array.tolist()


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": [2, 6]},
        {"size": [10**9, 10**9]},
        {"size": [-1, 5]},
        {"size": [5]},
        {"offset": 1},
        {"offset": -1},
        {"storage": "FloatStorage"},
    ],
)
def test_a_tensor_that_reaches_beyond_its_numbers_is_refused(
    tmp_path: Path, wrong: dict[str, Any]
) -> None:
    with pytest.raises(PickleRefused):
        load_tensor(write_tensor(tmp_path / "t.pt", INDEX, **wrong))


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x80\x02.", pickle.dumps(INDEX)])
def test_a_file_that_is_no_tensor_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.pt"
    path.write_bytes(data)
    with pytest.raises(PickleRefused):
        load_tensor(path)


def test_a_missing_file_of_the_folder_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (write_processed_folder(tmp_path / "processed") / "edge_types.pt").unlink()
    assert main([str(tmp_path / "processed"), str(tmp_path / "x.jsonl")]) == 1
    assert "edge_types.pt" in capsys.readouterr().err


def test_an_edge_to_an_unknown_node_ends_the_conversion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_processed_folder(tmp_path / "processed", {0: INFO[0]})
    assert main([str(folder), str(tmp_path / "x.jsonl")]) == 1
    assert "unknown node" in capsys.readouterr().err


def test_the_server_refuses_the_folder_that_was_not_converted(tmp_path: Path) -> None:
    with pytest.raises(FileRefused) as refused:
        open_source([write_processed_folder(tmp_path / "processed")])
    assert refused.value.code == "pickle"


def test_lines_that_are_neither_entity_nor_edge_are_reported_once(tmp_path: Path) -> None:
    lines = [
        {"stark": 1, "name": "prime"},
        {"node": {"id": "A:1", "type": "T", "name": "a"}},
        {"node": {"id": "A:1", "type": 7, "name": "a"}},
        {"node": {"id": "A:1", "type": "T", "name": "a", "synonyms": [1]}},
        {"node": {"id": "A:1", "type": "T", "name": "a", "document": "x"}},
        {"edge": {"source": "A:1", "relation": "r", "target": None}},
        {"edge": 5},
        {"something": 1},
    ]
    text = "\n".join(map(json.dumps, lines)) + "\nno json\n"
    graph = open_files(tmp_path, {"prime.jsonl.xz": text})
    assert [(line, reason) for _, line, reason in drop_reasons(graph)] == [
        (3, "json"),
        (4, "json"),
        (5, "json"),
        (8, "json"),
        (9, "json"),
        (6, "json"),
        (7, "json"),
    ]
