"""Reads `tables.json`: how the printed tables are laid out, titled, sourced and labelled."""

from pydantic import BaseModel, ConfigDict


class TableLayout(BaseModel):
    """One table as we show it.

    `name` distinguishes it from its neighbours in a few words.
    `settings` names the rows of a printed table that are shown apart (empty: all of them), and
    `main_slice` with `main_metric` the column that orders the rows. `ranked` is false where the
    rows do not compete. `source`, `url` and `year` are those of the paper.
    """

    model_config = ConfigDict(frozen=True)
    id: str
    name: str
    paper: str
    table: str
    title: str
    slices: tuple[str, ...]
    metrics: tuple[str, ...]
    settings: frozenset[str]
    decimals: int
    main_slice: str
    main_metric: str
    ranked: bool
    note: str
    source: str = ""
    url: str = ""
    year: int = 0


class Layout(BaseModel):
    tables: tuple[TableLayout, ...]
    labels: dict[str, str]
    papers: dict[str, dict[str, str | int]]

    def label(self, word: str) -> str:
        """The label for a key of the file; by default the key itself."""
        return self.labels.get(word, word)


def parse_layout(content: str) -> Layout:
    """Raises KeyError or ValueError where the file lacks what a table needs."""
    layout = Layout.model_validate_json(content)
    tables = (one.model_copy(update=layout.papers[one.paper]) for one in layout.tables)
    return layout.model_copy(update={"tables": tuple(tables)})
