"""Weight, requests, first paint and layout shift of every page, beside the goals; what axe knows,
in both themes; and no scrolling sideways at 360 px.

Weight and shift are asserted; times depend on the machine and are printed alone, with its load.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page

from tests.e2e.browser_helpers import (
    DESKTOP,
    NARROWEST,
    PHONE,
    BrowserProfiles,
    assert_accessible,
    assert_fits,
    show_themes,
)
from tests.e2e.page_objects import ADMINISTRATOR, COORDINATOR, RESEARCHER, page_objects
from tests.e2e.page_table import MAX_SCRIPTS_KB, MAX_SHIFT, PAGE_WEIGHT
from tests.e2e.page_visits import Visit, visit_cold_and_warm, visit_on_3g
from tests.e2e.stack import ROOT, Stack

# Far below the others: a library that draws graphs would not pass unseen.
DRAWING_KB = 200
WITH_DRAWING = ("/e/", "/canvas", "/explorations/", "/tool-sessions/")
GRAPH = "/explore/drug-repurposing-demo"
SILDENAFIL, RIOCIGUAT = "DRUGBANK:DB00203", "DRUGBANK:DB08931"
EXPERT = "{expert}"
STUDY_TABS = (
    *("questions", "adjudication", "statistics", "preview", "guidelines", "participation"),
    "webhooks",
)
FIRST_PAGES = (
    # The route, and the path with objects of page_objects.py in it.
    ("", "/"),
    ("practice", "/practice"),
    ("sign-in", "/sign-in"),
    ("leaderboard", "/leaderboard"),
    ("leaderboard/:track", "/leaderboard/truthhypo"),
    ("models", "/models"),
    ("releases", "/releases"),
    ("releases/:slug", "/releases/demo-hypotheses"),
    ("workbench", "/workbench"),
    ("workbench/:questionId", "/workbench/{question}"),
    ("explore/:slug", GRAPH),
    ("explore/:slug", f"{GRAPH}?q=sild"),
    ("explore/:slug/e/:curie", f"{GRAPH}/e/{SILDENAFIL}"),
    ("explore/:slug/canvas", f"{GRAPH}/canvas?focus={SILDENAFIL}"),
    ("explore/:slug/paths", f"{GRAPH}/paths?from={SILDENAFIL}&to={RIOCIGUAT}"),
    ("explore/:slug/compare", f"{GRAPH}/compare?id={SILDENAFIL}&id={RIOCIGUAT}"),
    ("explore/:slug/rns", f"{GRAPH}/rns"),
    ("*", "/no-such-page"),
)
OTHER_PAGES = (
    # And who opens it.
    ("about", "/about", ""),
    ("privacy", "/privacy", ""),
    ("costs", "/costs", ""),
    ("costs", "/costs?of=own", RESEARCHER),
    ("costs", "/costs?of=people", ADMINISTRATOR),
    ("reset-password", "/reset-password", ""),
    ("invite", "/invite", ""),
    ("invite", "/invite#none", ""),
    ("continue", "/continue", ""),
    ("explore", "/explore", ""),
    ("explore/:slug/schema", f"{GRAPH}/schema", ""),
    ("explore/:slug/rns/file", f"{GRAPH}/rns/file", ""),
    ("explore/:slug/paths/test", f"{GRAPH}/paths/test?from={SILDENAFIL}&to={RIOCIGUAT}", ""),
    ("explore/view/:id", "/explore/view/{view}", ""),
    ("models/:slug", "/models/{model}", ""),
    ("results/:id", "/results/{result}", ""),
    ("releases/:slug/query", "/releases/demo-queries/query", RESEARCHER),
    ("releases/:slug/discoveries", "/releases/demo-later-links/discoveries", ""),
    ("releases/:slug/importance", "/releases/demo-later-links/importance", ""),
    (
        "releases/:slug/importance/:component",
        "/releases/demo-later-links/importance/betweenness",
        "",
    ),
    ("networks", "/networks", ""),
    ("releases/seal", "/releases/seal", COORDINATOR),
    ("releases/:slug/changes", "/releases/demo-hypotheses/changes", ""),
    ("prompts/:name", "/prompts/truthhypo-parametric", ""),
    ("tracks/:slug", "/tracks/truthhypo", ""),
    ("embed/board/:slug", "/embed/board/demo-hypotheses", ""),
    ("groundings/:id", "/groundings/{grounding}", ""),
    ("judges", "/judges", ""),
    ("account", "/account", RESEARCHER),
    ("groundings", "/groundings", RESEARCHER),
    ("grounding-batches/:id", "/grounding-batches/{grounding_batch}", RESEARCHER),
    ("candidate-ensembles", "/candidate-ensembles", COORDINATOR),
    ("query-syntheses", "/query-syntheses", COORDINATOR),
    ("submissions", "/submissions", RESEARCHER),
    ("submissions/new", "/submissions/new", RESEARCHER),
    ("submissions/:id", "/submissions/{submission}", RESEARCHER),
    ("tool-sessions/:id", "/tool-sessions/{session}", RESEARCHER),
    ("team", "/team", RESEARCHER),
    ("runs", "/runs", RESEARCHER),
    ("runs/:id", "/runs/{run}", RESEARCHER),
    (
        "runs/:id/explorations/:split/:position",
        "/runs/{walked_run}/explorations/dev/0",
        RESEARCHER,
    ),
    ("releases/:slug/run", "/releases/demo-hypotheses/run", RESEARCHER),
    ("releases/:slug/reports", "/releases/demo-hypotheses/reports", RESEARCHER),
    ("endpoints", "/endpoints", RESEARCHER),
    ("endpoints", "/endpoints", ADMINISTRATOR),
    ("endpoints/:id", "/endpoints/{endpoint}", RESEARCHER),
    ("endpoints/:id/change", "/endpoints/{endpoint}/change", ADMINISTRATOR),
    ("endpoints/new", "/endpoints/new", ADMINISTRATOR),
    ("people", "/people", ADMINISTRATOR),
    ("query-syntheses/:id", "/query-syntheses/{synthesis}", COORDINATOR),
    ("releases/new", "/releases/new", COORDINATOR),
    ("releases/:slug/correct", "/releases/demo-hypotheses/correct", COORDINATOR),
    ("explore/import", "/explore/import", COORDINATOR),
    ("workbench/computations", "/workbench/computations", COORDINATOR),
    ("studies", "/studies", COORDINATOR),
    ("studies/new", "/studies/new", COORDINATOR),
    ("studies/plan", "/studies/plan?judgement=pairs&items=54&raters=6&overlap=1", COORDINATOR),
    ("studies/:id", "/studies/{study}", COORDINATOR),
    *(("studies/:id", f"/studies/{{study}}?tab={tab}", COORDINATOR) for tab in STUDY_TABS),
    ("studies/:id/try", "/studies/{study}/try", COORDINATOR),
    (
        "studies/:id/adjudicate/:question",
        "/studies/{study}/adjudicate/{study_question}",
        COORDINATOR,
    ),
    ("home", "/home", EXPERT),
    ("next", "/next", EXPERT),
    ("studies/:studyId/introduction", "/studies/{study}/introduction", EXPERT),
    ("studies/:studyId/contribution", "/studies/{study}/contribution", EXPERT),
    ("rank/:batchId", "/rank/{batch}", EXPERT),
    ("rank/:batchId/end", "/rank/{batch}/end", EXPERT),
)


@dataclass(frozen=True)
class Measured:
    """Visits in both widths, and one on fast 3G where it was measured."""

    path: str
    desktop: list[Visit]
    phone: list[Visit]
    on_3g: Visit | None = None

    def row(self) -> str:
        cold, warm = self.desktop[0], (self.desktop + self.phone)[1]
        on_3g = "" if self.on_3g is None else f"{self.on_3g.first_paint_s:.2f}"
        return (
            f"{self.path[:58]:58} {cold.transfer.scripts / 1000:7.0f} "
            f"{cold.transfer.total / 1000:7.0f} {cold.transfer.requests:5} "
            f"{cold.first_paint_s:6.2f} {warm.first_paint_s:6.2f} {on_3g:>6} "
            f"{max_shift(self.desktop):7.3f} {max_shift(self.on_phones):7.3f}"
        )

    @property
    def on_phones(self) -> list[Visit]:
        return self.phone if self.on_3g is None else [*self.phone, self.on_3g]

    def find_faults(self) -> list[str]:
        scripts = self.desktop[0].transfer.scripts / 1000
        faults = []
        has_drawing = any(part in self.path for part in WITH_DRAWING)
        if scripts > (DRAWING_KB if has_drawing else MAX_SCRIPTS_KB):
            faults.append(f"{self.path}: {scripts:.0f} kB of scripts")
        for width, visits in (("wide", self.desktop), ("phone", self.on_phones)):
            if (shift := max_shift(visits)) > MAX_SHIFT:
                faults.append(f"{self.path}, {width}: shift {shift:.3f}")
        return faults


def max_shift(visits: list[Visit]) -> float:
    return max(one.shift for one in visits)


def inspect(page: Page) -> None:
    """For everybody: on a desktop, on a phone, and narrow."""
    page.set_viewport_size(NARROWEST)
    assert_fits(page)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        for _ in show_themes(page):
            assert_fits(page)
            assert_accessible(page)


RecordProperty = Callable[[str, object], None]


def check(record: RecordProperty, measured: Measured) -> None:
    record(PAGE_WEIGHT, measured.row())
    faults = measured.find_faults()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("path", [path for _, path in FIRST_PAGES])
def test_a_page_of_a_first_visit_is_light_stands_still_and_is_accessible(
    profiles: BrowserProfiles, stack: Stack, record_property: RecordProperty, path: str
) -> None:
    """Cold and warm on a desktop, cold on a phone with a slow network."""
    address = path.format(**page_objects(stack))
    desktop = visit_cold_and_warm(profiles, address, "", (DESKTOP, DESKTOP), inspect)
    check(record_property, Measured(path, desktop, [], visit_on_3g(profiles, address)))


@pytest.mark.parametrize(("path", "who"), [(path, who) for _, path, who in OTHER_PAGES])
def test_every_other_page_is_light_stands_still_and_is_accessible(
    profiles: BrowserProfiles, stack: Stack, record_property: RecordProperty, path: str, who: str
) -> None:
    """Cold on a desktop, then warm on a phone."""
    objects = page_objects(stack)
    visits = visit_cold_and_warm(
        profiles, path.format(**objects), who.format(**objects), (DESKTOP, PHONE), inspect
    )
    check(record_property, Measured(path, visits[:1], visits[1:]))


def test_every_page_is_measured() -> None:
    router = (ROOT / "frontend" / "src" / "app" / "router.tsx").read_text()
    routes = {"", *re.findall(r'\bpath: "([^"]+)"', router)}
    assert {route for route, *_ in (*FIRST_PAGES, *OTHER_PAGES)} == routes
