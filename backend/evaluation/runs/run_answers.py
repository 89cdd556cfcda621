"""What a run requested of each item and what was answered, page by page."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import connection
from psycopg.types.json import Jsonb

from backend.accounts.models import User
from backend.benchmarks.models import Item
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models.runs import Run
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.policies import visible_splits
from backend.evaluation.runs.run_items import find_items
from backend.llm.models import Budget, Call, Exchange, StoredText
from backend.runtime.lru_cache import LruCache

FILES_AT_ONCE = 4
MOST_OTHER_RUNS = 200
Key = tuple[Any, ...]
RATIONALE = "rationale"
_predictions: LruCache[Mapping[Key, str]] = LruCache(FILES_AT_ONCE)


# Items that have ended, by their keys in the ledger, from a key on. Each part follows the index of
# this order and stops at the end of the page: of a long run, a page costs what that of a short run
# does. Of several ends of one item, after its context or model has changed, the last one counts.
# Failures are of the last attempt: an end of such an item is of one before. Keys of other requests,
# as of the steps of an exploration, have a '#'.
PAGE = """
WITH ended AS (
    SELECT item_key, id FROM llm_exchange AS one
    WHERE budget_id = %(budget)s
        AND (split_part(item_key, ':', 1), length(item_key), item_key)
            > (split_part(%(after)s, ':', 1), length(%(after)s), %(after)s)
        AND split_part(item_key, ':', 1) <= %(last_split)s
        AND strpos(item_key, '#') = 0
        AND NOT jsonb_exists(%(failures)s, item_key)
        AND (%(outcome)s = '' OR outcome = %(outcome)s)
        AND NOT EXISTS (
            SELECT FROM llm_exchange AS later
            WHERE later.budget_id = one.budget_id
            AND split_part(later.item_key, ':', 1) = split_part(one.item_key, ':', 1)
            AND length(later.item_key) = length(one.item_key)
            AND later.item_key = one.item_key
            AND (later.ended_at, later.id) > (one.ended_at, one.id))
        AND (%(text)s = '' OR EXISTS (
            SELECT FROM benchmarks_item AS item
            WHERE item.release_id = %(release)s
            AND item.split = split_part(one.item_key, ':', 1)
            AND item.number = split_part(one.item_key, ':', 2)::int
            AND strpos(lower(array_to_string(ARRAY(
                SELECT jsonb_array_elements_text(item.key::jsonb)), ', ')), lower(%(text)s)) > 0))
    ORDER BY split_part(item_key, ':', 1), length(item_key), item_key
    LIMIT %(limit)s
), failed AS (
    SELECT one.key AS item_key, NULL::bigint AS id FROM jsonb_each(%(failures)s) AS one
    WHERE (split_part(one.key, ':', 1), length(one.key), one.key)
            > (split_part(%(after)s, ':', 1), length(%(after)s), %(after)s)
        AND split_part(one.key, ':', 1) <= %(last_split)s
        AND (%(outcome)s = '' OR value ->> 'outcome' = %(outcome)s)
        AND (%(text)s = '' OR EXISTS (
            SELECT FROM benchmarks_item AS item
            WHERE item.release_id = %(release)s
            AND item.split = split_part(one.key, ':', 1)
            AND item.number = split_part(one.key, ':', 2)::int
            AND strpos(lower(array_to_string(ARRAY(
                SELECT jsonb_array_elements_text(item.key::jsonb)), ', ')), lower(%(text)s)) > 0))
    ORDER BY split_part(one.key, ':', 1), length(one.key), one.key
    LIMIT %(limit)s
)
SELECT item_key, id FROM (SELECT * FROM ended UNION ALL SELECT * FROM failed) AS one
ORDER BY split_part(item_key, ':', 1), length(item_key), item_key
LIMIT %(limit)s
"""


@dataclass(frozen=True)
class AnswerPage:
    """next: where the next page begins; empty after the last one."""

    answers: Sequence[Mapping[str, Any]]
    next: str


def list_answers(
    actor: User | None, run: Run, *, outcome: str, text: str, after: str, limit: int
) -> AnswerPage:
    """Of dev items alone for everybody but the owner. text: in the key of the item. after: key in
    the ledger of the last item of the page before; empty for the first page."""
    (budget,) = _budgets([run.subject]) or [None]
    chosen: dict[str, Any] = {
        "budget": budget,
        "failures": Jsonb(run.failures),
        "release": run.release_id,
        "last_split": max(one.value for one in visible_splits(actor, run)),
        "outcome": outcome,
        "text": text,
        "after": after,
        "limit": limit + 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(PAGE, chosen)
        rows = cursor.fetchall()
    shown = dict(rows[:limit])
    return AnswerPage(_describe(run, budget, shown), [*shown][-1] if len(rows) > limit else "")


def _item_name(item: Item) -> str:
    return ", ".join(map(str, item.key_parts))


def _describe(
    run: Run, budget: uuid.UUID | None, shown: Mapping[str, int | None]
) -> list[dict[str, Any]]:
    """shown: keys in the ledger, each with its exchange, or None for a failure."""
    items = find_items(run, [*shown])
    rows = Exchange.objects.filter(pk__in=[one for one in shown.values() if one is not None])
    exchanges = {one.item_key: one for one in rows}
    prompts = _prompts(run, budget, [*exchanges.values()])
    attempts = _attempts(budget, [key for key in shown if key not in exchanges])
    digests = {one.text for one in exchanges.values()} | {*prompts.values()}
    texts = _texts(digests | {one.prompt for one in attempts.values()})
    files = dict(run.submissions.values_list("split", "file_digest"))
    return [
        {
            **_describe_ended(item, exchanges[key], texts, prompts),
            "prediction": _prediction(run, item, files.get(item.split)),
        }
        if key in exchanges
        else _describe_failed(run.failures[key], item, attempts.get(key, Attempts()), texts)
        for key, item in ((key, items[key]) for key in shown)
    ]


@dataclass(frozen=True)
class Attempts:
    """Of one item without an answer. cost: of all, the worst case of those without an end."""

    count: int = 0
    cost: Decimal = Decimal(0)
    prompt: str = ""


def _attempts(budget: uuid.UUID | None, keys: Sequence[str]) -> Mapping[str, Attempts]:
    rows = Call.objects.filter(budget=budget, item_key__in=keys).order_by("started_at", "pk")
    result: dict[str, Attempts] = {}
    for key, cost, prompt in rows.values_list("item_key", "cost", "prompt"):
        earlier = result.get(key, Attempts())
        first = earlier.prompt or prompt
        result[key] = Attempts(earlier.count + 1, earlier.cost + (cost or 0), first)
    return result


def _describe_ended(
    item: Item,
    exchange: Exchange,
    texts: Mapping[str, str],
    prompts: Mapping[str, str],
) -> dict[str, Any]:
    return {
        **_common(item),
        "outcome": exchange.outcome,
        "is_retried": exchange.is_retried,
        "is_cached": exchange.is_cached,
        "cost": format_money(exchange.cost),
        "reason": exchange.reason,
        "text": texts.get(exchange.text, ""),
        "messages": _messages(texts, prompts.get(exchange.key, "")),
    }


def _describe_failed(
    failure: Mapping[str, Any], item: Item, attempts: Attempts, texts: Mapping[str, str]
) -> dict[str, Any]:
    return {
        **_common(item),
        "outcome": failure["outcome"],
        "is_retried": attempts.count > 1,
        "is_cached": False,
        "cost": format_money(attempts.cost),
        "prediction": None,
        "reason": failure["reason"],
        "text": "",
        "messages": _messages(texts, attempts.prompt),
    }


def _messages(texts: Mapping[str, str], digest: str) -> list[dict[str, Any]]:
    stored = json.loads(texts.get(digest, "[]"))
    return [{"role": role, "content": content} for role, content in stored]


def _common(item: Item) -> dict[str, Any]:
    content = item.content
    question = content.get("question") or content.get("query") or _item_name(item)
    return {"item_key": _item_name(item), "split": item.split, "question": question}


def _prompts(
    run: Run, budget: uuid.UUID | None, exchanges: Sequence[Exchange]
) -> Mapping[str, str]:
    """Digests of the first prompts by the key of the exchange; of another run of the task for what
    was in the cache, with the same key and so the same prompt."""
    keys = {one.key for one in exchanges}
    digests = _first_prompts([budget], keys)
    if missing := keys - digests.keys():
        others = Run.objects.filter(task=run.task, endpoint__model=run.endpoint.model)
        latest = others.exclude(pk=run.pk).order_by("-created_at")[:MOST_OTHER_RUNS]
        digests |= _first_prompts(_budgets([one.subject for one in latest]), missing)
    return digests


def _budgets(subjects: Sequence[str]) -> list[uuid.UUID | None]:
    return [*Budget.objects.filter(subject__in=subjects).values_list("pk", flat=True)]


def _first_prompts(budgets: Sequence[uuid.UUID | None], keys: set[str]) -> dict[str, str]:
    rows = Call.objects.filter(budget__in=budgets, key__in=keys, number=1)
    return dict(rows.values_list("key", "prompt"))


def _texts(digests: set[str]) -> Mapping[str, str]:
    rows = StoredText.objects.filter(digest__in=digests - {""})
    return {one.digest: bytes(one.content).decode("utf-8", "replace") for one in rows}


def _prediction(run: Run, item: Item, digest: str | None) -> str | None:
    """As the submitted file has it; None before."""
    if digest is None:
        return None
    fields = get_track_or_raise(run.release.track).key_fields
    rows = _predictions.get_or_create(f"{digest} {fields}", lambda: _read(digest, fields))
    return rows.get(tuple(item.key_parts))


def _read(digest: str, fields: Sequence[str]) -> Mapping[Key, str]:
    hidden = {*fields, RATIONALE}  # the text of the answer has the rationale
    rows: dict[Key, str] = {}
    with prediction_path(digest).open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            rest = {name: value for name, value in row.items() if name not in hidden}
            rest = {name: value for name, value in rest.items() if value is not None}
            value = next(iter(rest.values())) if len(rest) == 1 else rest
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            rows[tuple(row[name] for name in fields)] = text
    return rows
