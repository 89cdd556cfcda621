"""The hashed table of names, against a search of all names."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from backend.graphs.mentions import name_table
from backend.graphs.mentions.name_table import BRITISH, NameTable, in_american
from backend.graphs.snapshots.string_array import StringArray
from backend.graphs.source_records import NodeRow
from backend.runtime.normal_form import normalize
from tests.graphs.search.factories import Searched

WORDS = st.text("aeoru xb", max_size=12)


@given(st.lists(WORDS, max_size=8))
def test_spellings_of_many_texts_are_those_of_each(texts: list[str]) -> None:
    spelt = in_american(StringArray.of([one.encode() for one in texts]))
    assert [one.decode() for one in spelt] == [BRITISH.sub("", one) for one in texts]


@pytest.mark.parametrize("at_once", [1, 3, 200_000])
def test_a_form_finds_the_names_that_a_search_of_all_names_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(name_table, "NAMES_AT_ONCE", at_once)
    generator = np.random.default_rng(1)
    syllables = ["ha", "emo", "tu", "mour", "oe", "de", "ma", "6", " ", "-"]
    drawn = ["".join(generator.choice(syllables, 4)) for _ in range(300)]
    rows = [NodeRow(f"X:{n}", "Thing", one, (drawn[n - 1],)) for n, one in enumerate(drawn)]
    searched = Searched.of(tmp_path, rows)
    table = NameTable.of(searched.snapshot, searched.lexicon)
    names = [(r.name, r.synonyms) for r in searched.snapshot.entities()]
    forms = sorted({normalize(one).replace(" ", "") for one in drawn} | {"absent", "haemo"})
    names_by_place = table.find(forms)
    for place, form in enumerate(forms):
        expected = {
            number
            for number, (name, synonyms) in enumerate(names)
            for one in (name, *synonyms)
            if is_spelling(normalize(one).replace(" ", ""), form)
        }
        assert {one.entity for one in names_by_place.get(place, [])} == expected, form


def is_spelling(name: str, form: str) -> bool:
    is_respelt = len(form) >= 6 and BRITISH.sub("", name) == BRITISH.sub("", form)
    return name == form or is_respelt
