"""What the server writes into the page: title, description, preview, and text without scripts."""

import re
import struct
import tomllib
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as project
from django.http.response import HttpResponseBase
from django.test import AsyncClient, Client
from pytest_django import Settings

from backend.config.page_heads import DESCRIPTIONS, HEADS, SITE_NAME
from backend.config.page_outlines import FRONT_PREVIEW, PREVIEWS
from backend.config.spa_views import PAGES
from backend.graphs.models import Graph
from backend.leaderboard import site_summary
from tests.benchmarks.rns.factories import drug, make_slashed_version, make_version
from tests.personas import Person

pytestmark = pytest.mark.django_db
UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.fixture(autouse=True)
def _built(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page as the front end has it, not built."""
    source = project.ROOT / "frontend" / "index.html"
    (tmp_path / "index.html").write_text(source.read_text())
    settings.BUNDLE = tmp_path
    settings.SITE_URL = "https://serendib.example"
    monkeypatch.setattr(site_summary, "_latest", None)


def get(path: str, client: Client | None = None) -> tuple[int, str]:
    response = (client or Client()).get(path)
    return response.status_code, response.content.decode()


def head_of(page: str) -> tuple[str, str]:
    [title] = re.findall(r"<title>(.*)</title>", page)
    [description] = re.findall(r'<meta name="description" content="([^"]*)"', page)
    return unescape(title), unescape(description)


def test_the_front_page_has_its_question_and_tables_without_scripts() -> None:
    status, page = get("/")
    assert (status, head_of(page)[0]) == (200, "Serendib")
    root = page[page.index('<div id="root">') : page.index("<noscript>")]
    assert "Which drugs ease the symptoms of Parkinson" in root
    assert "<b>Amantadine</b>" in root
    assert "<i></i>" not in root
    plain = page[page.index("<noscript>") : page.index("</noscript>")]
    assert "DeepSeek-V3" in plain and "78.71" in plain
    assert plain.count("<table>") == 3
    assert "write to the person who invited you" in plain


def test_boards_have_their_first_rows_without_scripts() -> None:
    _, page = get("/leaderboard")
    assert page.count("<table>") > 5
    status, page = get("/leaderboard/serenqa-retrieval")
    assert (status, page.count("<table>"), page.count("<tr>")) == (200, 1, 10)
    assert head_of(page)[0] == "SerenQA: Retrieval, leaderboard · Serendib"
    assert "<i></i>" in page  # the shape of a page, until the scripts have run


def test_a_preview_names_the_page_its_address_and_a_picture() -> None:
    _, page = get("/leaderboard/truthhypo")
    for name, content in (
        ("og:title", "TruthHypo: Hypotheses, leaderboard"),
        ("og:url", "https://serendib.example/leaderboard/truthhypo"),
        ("og:image", "https://serendib.example/static/web/preview-leaderboard.jpg"),
        ("og:image:type", "image/jpeg"),
    ):
        assert f'<meta property="{name}" content="{content}" />' in page


def test_each_part_of_the_site_has_a_picture_of_its_own_for_previews() -> None:
    public = make_version().graph
    paths = {
        f"/explore/{public.slug}": "preview-explore.jpg",
        "/leaderboard": "preview-leaderboard.jpg",
        "/releases": "preview-leaderboard.jpg",
        "/workbench": "preview-workbench.jpg",
        "/": "preview.png",
        "/about": "preview.png",
        "/explore/none": "preview.png",
    }
    for path, file in paths.items():
        [image] = re.findall(r'<meta property="og:image" content="([^"]*)"', get(path)[1])
        assert image == f"https://serendib.example/static/web/{file}"
    for preview in (FRONT_PREVIEW, *PREVIEWS.values()):
        content = (project.ROOT / "frontend" / "public" / preview.file).read_bytes()
        assert image_size(content) == (1200, 630)


def image_size(content: bytes) -> tuple[int, int]:
    """Of a PNG, or of a baseline JPEG by its first start of frame."""
    if content.startswith(b"\x89PNG"):
        width, height = struct.unpack(">II", content[16:24])
    else:
        at = content.index(b"\xff\xc0")
        height, width = struct.unpack(">HH", content[at + 5 : at + 9])
    return width, height


def test_contact_and_version_are_in_the_head_if_they_are_set(settings: Settings) -> None:
    assert "serendib-contact" not in get("/about")[1]
    settings.CONTACT_EMAIL = "contact@serendib.example"
    _, page = get("/about")
    assert '<meta name="serendib-contact" content="contact@serendib.example" />' in page
    assert 'href="mailto:contact@serendib.example"' in page
    declared = tomllib.loads((project.ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f'<meta name="serendib-version" content="{declared}" />' in page


def test_graphs_and_entities_have_names_for_those_who_may_see_them(researcher: Person) -> None:
    public = make_version().graph
    Graph.objects.filter(pk=public.pk).update(name='Links & "more" </title><script>')
    status, page = get(f"/explore/{public.slug}/e/{drug(1)}")
    assert (status, head_of(page)[0]) == (200, "Drug 1 · Serendib")
    assert "</title><script>" not in page
    assert "links to other entities" in head_of(page)[1]
    assert head_of(get(f"/explore/{public.slug}/paths")[1])[0].startswith('Links & "more"')
    assert get(f"/explore/{public.slug}/e/LOCAL:none")[0] == 404
    private = make_version(researcher.user, Graph.Visibility.PRIVATE).graph
    status, page = get(f"/explore/{private.slug}")
    assert (status, head_of(page)[0]) == (404, "Page not found · Serendib")
    own = Client()
    own.force_login(researcher.user)
    assert head_of(get(f"/explore/{private.slug}", own)[1])[0] == f"{private.name} · Serendib"


@pytest.mark.parametrize(
    "path",
    [
        *(
            "/releases/none",
            "/releases/none/query",
            "/tracks/none",
            "/models/none",
            f"/results/{UNKNOWN}",
            "/results/none",
        ),
        *("/explore/none", "/explore/none/e/X:1", f"/explore/view/{UNKNOWN}"),
        *("/leaderboard/none", f"/workbench/{UNKNOWN}", "/workbench/none", "/nothing-here"),
    ],
)
def test_an_address_without_its_object_is_404_and_not_indexed(path: str) -> None:
    status, page = get(path)
    assert (status, head_of(page)[0]) == (404, "Page not found · Serendib")
    assert '<meta name="robots" content="noindex" />' in page
    assert "canonical" not in page


def test_a_slash_at_the_end_leads_to_the_page_without_it_if_there_is_one(
    researcher: Person,
) -> None:
    public = make_version().graph
    private = make_version(researcher.user, Graph.Visibility.PRIVATE).graph
    for path in ("/leaderboard", f"/explore/{public.slug}/e/{drug(1)}", "/studies/plan"):
        response = Client().get(f"{path}/?q=a%20b&q=%2F")
        assert (response.status_code, response["Location"]) == (301, f"{path}?q=a%20b&q=%2F")
    assert Client().get("/about/")["Location"] == "/about"
    for path in ("//evil.example/", "/nothing-here/", "/about//", f"/explore/{private.slug}/"):
        # Not by the client's parsing, which takes a host from two slashes.
        assert Client().get("/", PATH_INFO=path).status_code == 404


SLASHED = ("DOI%3A10.1%2Fa", "DOI%3A10.1%2Fb%252F", "DOI%3A10.1%2Fc%2F")


@pytest.mark.parametrize("identifier", SLASHED)
def test_an_escaped_slash_stays_escaped_where_the_slash_at_the_end_is_removed(
    identifier: str,
) -> None:
    page = f"/explore/{make_slashed_version().graph.slug}/e/{identifier}"
    response = get_over_asgi(f"{page}/")
    assert (response.status_code, response["Location"]) == (301, page)
    response = Client().get(f"{page}/?a=%2F")  # without the path as it was sent
    assert response["Location"] == f"{page.replace('%3A', ':')}?a=%2F"


def test_an_escaped_slash_at_the_end_is_a_part_of_the_identifier() -> None:
    page = f"/explore/{make_slashed_version().graph.slug}/e/DOI%3A10.1%2F"
    assert get_over_asgi(f"{page}c%2F").status_code == 200
    assert get_over_asgi(f"{page}a%2F").status_code == 404


class AsgiClient(AsyncClient):
    """States the path as it was sent, as servers of ASGI do."""

    raw_path = b""

    def _base_scope(self, **request: Any) -> dict[str, Any]:
        scope = super()._base_scope(**request)  # type: ignore[misc]  # the stubs lack it
        return {**scope, "raw_path": self.raw_path}


def get_over_asgi(path: str) -> HttpResponseBase:
    client = AsgiClient()
    client.raw_path = path.encode()
    return async_to_sync(client.get)(path)


@pytest.mark.parametrize("identifier", SLASHED)
def test_the_address_that_search_engines_store_has_the_identifier_as_one_part(
    identifier: str,
) -> None:
    page = f"/explore/{make_slashed_version().graph.slug}/e/{identifier}"
    shown = page.replace("%3A", ":")
    assert f'<link rel="canonical" href="https://serendib.example{shown}" />' in get(page)[1]


def test_every_page_has_a_title_of_its_own() -> None:
    assert {*HEADS, *DESCRIPTIONS} == set(PAGES)
    titles = [head.title for page, head in HEADS.items() if page]
    assert SITE_NAME not in titles
    assert len({*titles}) == len(titles)


def test_a_private_object_is_not_named_in_the_head_of_its_page() -> None:
    status, page = get(f"/groundings/{UNKNOWN}")
    assert (status, head_of(page)[0]) == (200, "Grounded claims · Serendib")
    assert head_of(get("/tracks/truthhypo")[1])[0] == "TruthHypo: Hypotheses · Serendib"


@pytest.mark.parametrize("path", ["/releases/new", "/explore/import", "/workbench/computations"])
def test_a_page_of_its_own_is_no_object_of_that_name(path: str) -> None:
    assert get(path)[0] == 200


def test_the_page_of_a_prompt_has_its_intent_and_an_unknown_one_is_missing() -> None:
    status, page = get("/prompts/stark-rerank")
    assert (status, head_of(page)[0]) == (200, "Prompt stark-rerank · Serendib")
    assert head_of(page)[1].startswith("A better order of the entities")
    assert get("/prompts/nothing")[0] == 404
