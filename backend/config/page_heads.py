"""Title and description of each address, for tabs, search engines and previews of links.

What only some users may see is described to them alone.
"""

import re
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import quote

from django.db import Error as DatabaseError
from django.http import HttpRequest
from django.utils.encoding import escape_uri_path

from backend.accounts.models import User
from backend.benchmarks.policies import get_question_or_raise, get_release_or_raise
from backend.benchmarks.track_catalogue import TRACKS, get_track_or_raise
from backend.common.errors import DomainError, NotFound
from backend.evaluation.prompts import get_prompt_or_raise
from backend.graphs.graph_access import open_graph
from backend.graphs.policies import get_graph_or_raise
from backend.graphs.saved_views import get_view_or_raise
from backend.leaderboard.badges import badge_text
from backend.leaderboard.model_results import get_model_results_or_raise
from backend.leaderboard.results import get_result_or_raise

SITE_NAME = "Serendib"
SITE_DESCRIPTION = (
    "Which answer would a physician be glad to have stumbled on? Rank one, explore drugs and "
    "diseases, and compare language models on answers that experts judged."
)
MAX_DESCRIPTION = 200
SAFE_IN_PART = ":@&+$,-_.!~*'()"  # of an address


@dataclass(frozen=True)
class PageHead:
    title: str = SITE_NAME
    description: str = SITE_DESCRIPTION
    exists: bool = True

    @property
    def full_title(self) -> str:
        return self.title if self.title == SITE_NAME else f"{self.title} · {SITE_NAME}"


@dataclass(frozen=True)
class PageRequest:
    """The visitor or user, the parts of the address by the name of the route, and the snapshot."""

    user: User | None
    parts: Mapping[str, str]
    snapshot: str = ""


NOT_FOUND = PageHead("Page not found", exists=False)
Describe = Callable[[PageRequest], PageHead]


def describe_page(request: HttpRequest, pages: tuple[str, ...], path: str) -> PageHead:
    """The head of the first page whose route matches, NOT_FOUND if none does."""
    matched = _match_page(pages, path)
    if matched is None:
        return NOT_FOUND
    page, match = matched
    if page not in DESCRIPTIONS:
        return HEADS[page]
    user = request.user if isinstance(request.user, User) else None
    page_request = PageRequest(user, match.groupdict(), request.GET.get("snapshot", ""))
    return _describe(DESCRIPTIONS[page], page_request)


def page_address(pages: tuple[str, ...], path: str) -> str:
    """The path with its escapes: an identifier that holds a slash is one part of the address, which
    the router of the front end matches only while the slash is escaped."""
    matched = _match_page(pages, path)
    if matched is None:
        return escape_uri_path(path)
    page, match = matched
    parts = {name: quote(value, safe=SAFE_IN_PART) for name, value in match.groupdict().items()}
    return "/" + re.sub(r":(\w+)", lambda name: parts[name[1]], page)


def _match_page(pages: tuple[str, ...], path: str) -> tuple[str, re.Match[str]] | None:
    """The first page whose route matches; those with fewer names of parts come first."""
    for page in sorted(pages, key=lambda one: one.count(":")):
        if match := _pattern(page).fullmatch(path):
            return page, match
    return None


def _pattern(page: str) -> re.Pattern[str]:
    """An identifier may hold a slash, which the address has escaped."""
    parts = page.replace(":curie", "(?P<curie>.+)")
    return re.compile("/" + re.sub(r":(\w+)", r"(?P<\1>[^/]+)", parts))


def _describe(describe: Describe, page: PageRequest) -> PageHead:
    try:
        head = describe(page)
    except (NotFound, ValueError):  # a uuid that is none
        return NOT_FOUND
    except (DomainError, DatabaseError):
        return PageHead()  # the page itself shows what is wrong
    text = " ".join(head.description.split())
    shown = text if len(text) <= MAX_DESCRIPTION else f"{text[: MAX_DESCRIPTION - 1]}…"
    return replace(head, description=shown)


def _graph(page: PageRequest) -> PageHead:
    graph = get_graph_or_raise(page.user, page.parts["slug"])
    return PageHead(graph.name, graph.description or SITE_DESCRIPTION)


def _entity(page: PageRequest) -> PageHead:
    opened = open_graph(page.user, page.parts["slug"], page.snapshot)
    number = opened.entity_number_or_raise(page.parts["curie"])
    entity = opened.snapshot.entity_summary(number)
    degree = opened.snapshot.degree(number)
    description = (
        f"{entity.name} ({entity.type}, {entity.id}) in {opened.graph.name}: {degree:,} links to "
        "other entities, each with its evidence."
    )
    return PageHead(entity.name, description)


def _saved_view(page: PageRequest) -> PageHead:
    view = get_view_or_raise(page.user, uuid.UUID(page.parts["id"]))
    return PageHead(view.title or "Saved view", f"A saved view of {view.version.graph.name}.")


def _track(page: PageRequest) -> PageHead:
    track = TRACKS.get(page.parts["track"])
    if track is None:
        raise NotFound("There is no such track.")
    return PageHead(f"{track.paper}: {track.title}, leaderboard", track.description)


def _track_format(page: PageRequest) -> PageHead:
    track = get_track_or_raise(page.parts["slug"])
    info = TRACKS[track.slug]
    return PageHead(f"{info.paper}: {info.title}", info.description)


def _release(page: PageRequest) -> PageHead:
    release = get_release_or_raise(page.user, page.parts["slug"])
    track = TRACKS[release.track]
    about = f"A benchmark release of {track.paper}, {track.title}. {release.data_card}"
    return PageHead(release.name, about)


def _model(page: PageRequest) -> PageHead:
    results = get_model_results_or_raise(page.user, page.parts["slug"])
    model, count = results.model, len(results.evaluated) + len(results.printed)
    by = f" by {model.organisation}" if model.organisation else ""
    return PageHead(model.name, f"{model.name}{by}: results on {count} boards and tables.")


def _result(page: PageRequest) -> PageHead:
    result = get_result_or_raise(page.user, uuid.UUID(page.parts["id"]))
    title = f"{result.model_name} on {result.release.name}"
    return PageHead(title, f"{title}: {badge_text(result)}.")


def _prompt(page: PageRequest) -> PageHead:
    prompt = get_prompt_or_raise(page.parts["name"]).prompt
    return PageHead(f"Prompt {prompt.name}", prompt.intent)


def _question(page: PageRequest) -> PageHead:
    question = get_question_or_raise(page.user, uuid.UUID(page.parts["questionId"]))
    about = "Which of its answers are serendipitous, by relevance, novelty and surprise."
    return PageHead(question.text, about)


# Of pages whose address alone names them. Where an object is private, its name is not in its head.
HEADS: Mapping[str, PageHead] = {
    "": PageHead(),
    "about": PageHead("About", "How to cite Serendib, its licence, and where to write."),
    "account": PageHead("Account", "Your name, password, mails and access tokens."),
    "continue": PageHead(
        "Continue where you stopped", "A link from a mail signs in and opens the next question."
    ),
    "costs": PageHead(
        "Costs of models", "What runs of language models cost, by model and release."
    ),
    "embed/board/:slug": PageHead("Board", "The standing of the models of one benchmark."),
    "endpoints": PageHead("Endpoints", "Servers of language models, what they can do and cost."),
    "endpoints/:id": PageHead(
        "Endpoint", "A server of a language model, what it can do and costs."
    ),
    "endpoints/:id/change": PageHead("Change an endpoint"),
    "endpoints/new": PageHead("Add an endpoint"),
    "explore": PageHead(
        "Explore", "Knowledge graphs of drugs, diseases and genes, with the evidence of each link."
    ),
    "explore/import": PageHead("Import a graph"),
    "grounding-batches/:id": PageHead("Groundedness of a batch"),
    "groundings": PageHead(
        "Groundings", "Which claims of a rationale a knowledge graph and papers support."
    ),
    "groundings/:id": PageHead(
        "Grounded claims", "The claims of a rationale, each with the evidence for or against it."
    ),
    "home": PageHead("My batches", "The questions that wait for your judgement."),
    "invite": PageHead("Your invitation", "An invitation to judge answers on Serendib."),
    "judges": PageHead(
        "Verifiers of claims", "How often experts agree with each verifier, and whether it drifted."
    ),
    "leaderboard": PageHead(
        "Leaderboard", "The best models of each task: hypotheses, surprising answers, retrieval."
    ),
    "models": PageHead("Models", "Every model that was evaluated here or printed in a paper."),
    "networks": PageHead(
        "Compare networks", "Curated, co-occurring and text-mined networks side by side."
    ),
    "next": PageHead("My next question"),
    "people": PageHead("People"),
    "practice": PageHead(
        "Practice questions", "Put the answers to a medical question in order; nothing is stored."
    ),
    "privacy": PageHead("Privacy", "What Serendib stores of you, for how long, and who reads it."),
    "candidate-ensembles": PageHead("Scores by models"),
    "query-syntheses": PageHead("Synthesized queries"),
    "query-syntheses/:id": PageHead("Queries by models"),
    "rank/:batchId": PageHead("Question"),
    "rank/:batchId/end": PageHead("End of the batch"),
    "releases": PageHead("Releases", "Benchmarks to download, predict and submit to."),
    "releases/:slug/correct": PageHead("Correct the release"),
    "releases/:slug/reports": PageHead("Reports of items"),
    "releases/:slug/run": PageHead("Run a model"),
    "releases/new": PageHead("New release"),
    "releases/seal": PageHead("Seal predictions"),
    "reset-password": PageHead("Reset the password"),
    "runs": PageHead("Runs", "Language models that answer the items of a release."),
    "runs/:id": PageHead("Run", "The answers of one model to a release, and their cost."),
    "runs/:id/explorations/:split/:position": PageHead(
        "Exploration", "One walk of a language model on a graph, level by level."
    ),
    "sign-in": PageHead("Sign in", "Sign in with a code from a mail or a password."),
    "studies": PageHead("Studies"),
    "studies/:id": PageHead("Study"),
    "studies/:id/adjudicate/:question": PageHead("Adjudicate a question"),
    "studies/:id/try": PageHead("Try the study"),
    "studies/:studyId/contribution": PageHead("My contribution"),
    "studies/:studyId/introduction": PageHead("Introduction"),
    "studies/new": PageHead("New study"),
    "studies/plan": PageHead("Plan a study", "How many items and raters an interval needs."),
    "submissions": PageHead("Submissions", "Files of predictions and their scores."),
    "submissions/:id": PageHead("Submission"),
    "submissions/new": PageHead("Submit predictions"),
    "team": PageHead("Team"),
    "tool-sessions/:id": PageHead(
        "Tool calls", "What an agent called on the graph of a release, step by step."
    ),
    "workbench": PageHead(
        "Benchmarks", "Questions whose answers are weighed by relevance, novelty and surprise."
    ),
    "workbench/computations": PageHead("Computations"),
}
GRAPH_PAGES = (
    *("explore/:slug", "explore/:slug/canvas", "explore/:slug/compare", "explore/:slug/paths"),
    *("explore/:slug/paths/test", "explore/:slug/rns", "explore/:slug/rns/file"),
    "explore/:slug/schema",
)
DESCRIPTIONS: Mapping[str, Describe] = {
    **dict.fromkeys(GRAPH_PAGES, _graph),
    "explore/:slug/e/:curie": _entity,
    "explore/view/:id": _saved_view,
    "leaderboard/:track": _track,
    "tracks/:slug": _track_format,
    "prompts/:name": _prompt,
    "releases/:slug": _release,
    "releases/:slug/changes": _release,
    "releases/:slug/discoveries": _release,
    "releases/:slug/importance": _release,
    "releases/:slug/importance/:component": _release,
    "releases/:slug/query": _release,
    "models/:slug": _model,
    "results/:id": _result,
    "workbench/:questionId": _question,
}
