"""What a run requested of each item and what was answered, in the order of the release."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection
from psycopg.types.json import Jsonb

from backend.accounts.models import User
from backend.benchmarks.models import Item, ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models.runs import Run
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.policies import may_see_whole_run
from backend.llm.models import Budget, Call, Exchange, StoredText
from backend.runtime.lru_cache import LruCache

FILES_AT_ONCE = 4
MOST_OTHER_RUNS = 200
Key = tuple[Any, ...]
RATIONALE = "rationale"
_predictions: LruCache[Mapping[Key, str]] = LruCache(FILES_AT_ONCE)


# Items by the key in the ledger, which counts those of each split; of several ends of one item,
# after its context has changed, the last one. A failure has no end in the ledger.
CHOSEN = """
WITH ended AS (
    SELECT DISTINCT ON (item_key) item_key, outcome
    FROM (
        SELECT item_key, outcome, ended_at FROM llm_exchange
        JOIN llm_budget ON llm_budget.id = budget_id AND subject = %(subject)s
        UNION ALL
        SELECT key, value ->> 'outcome', NULL FROM jsonb_each(%(failures)s)
    ) AS ends
    ORDER BY item_key, ended_at DESC NULLS LAST
), numbered AS (
    SELECT id, position, key,
        split || ':' || (row_number() OVER (PARTITION BY split ORDER BY position) - 1) AS item_key
    FROM benchmarks_item WHERE release_id = %(release)s AND split = ANY(%(splits)s)
)
SELECT id, item_key, outcome, count(*) OVER () FROM numbered JOIN ended USING (item_key)
WHERE (%(outcome)s = '' OR outcome = %(outcome)s)
    AND (%(text)s = '' OR strpos(lower(array_to_string(
        ARRAY(SELECT jsonb_array_elements_text(key::jsonb)), ', ')), lower(%(text)s)) > 0)
ORDER BY position
"""


@dataclass(frozen=True)
class AnswerPage:
    """answers: of one page. total: of all that the filter chooses."""

    answers: Sequence[Mapping[str, Any]]
    total: int


def list_answers(
    actor: User | None, run: Run, *, outcome: str, text: str, first: int, limit: int
) -> AnswerPage:
    """Of dev items alone for everybody but the owner. text: in the key of the item."""
    splits = [*ReleaseSplit] if may_see_whole_run(actor, run) else [ReleaseSplit.DEV]
    chosen = {
        "subject": run.subject,
        "failures": Jsonb(run.failures),
        "release": run.release_id,
        "splits": [one.value for one in splits],
        "outcome": outcome,
        "text": text,
    }
    rows, total = _read_page(chosen, first, limit)
    items = Item.objects.in_bulk([pk for pk, _ in rows])
    return AnswerPage(_describe(run, {key: items[pk] for pk, key in rows}), total)


def _read_page(
    chosen: Mapping[str, Any], first: int, limit: int
) -> tuple[Sequence[tuple[int, str]], int]:
    with connection.cursor() as cursor:
        page = f"{CHOSEN} LIMIT %(limit)s OFFSET %(first)s"
        cursor.execute(page, {**chosen, "limit": limit, "first": first})
        rows = cursor.fetchall()
        with_total = rows
        if not rows and first:  # beyond the end: each row has the total
            cursor.execute(page, {**chosen, "limit": 1, "first": 0})
            with_total = cursor.fetchall()
    return [(pk, key) for pk, key, *_ in rows], with_total[0][3] if with_total else 0


def _item_name(item: Item) -> str:
    return ", ".join(map(str, item.key_parts))


def _describe(run: Run, items: Mapping[str, Item]) -> list[dict[str, Any]]:
    rows = Exchange.objects.filter(budget__subject=run.subject, item_key__in=[*items])
    exchanges = {one.item_key: one for one in rows.order_by("ended_at")}
    prompts = _prompts(run, [*exchanges.values()])
    texts = _texts({one.text for one in exchanges.values()} | {*prompts.values()})
    files = dict(run.submissions.values_list("split", "file_digest"))
    return [
        {
            **_describe_ended(item, exchanges[key], texts, prompts),
            "prediction": _prediction(run, item, files.get(item.split)),
        }
        if key in exchanges
        else _describe_failed(run, key, item)
        for key, item in items.items()
    ]


def _describe_ended(
    item: Item,
    exchange: Exchange,
    texts: Mapping[str, str],
    prompts: Mapping[str, str],
) -> dict[str, Any]:
    stored = texts.get(prompts.get(exchange.key, ""), "[]")
    return {
        **_common(item),
        "outcome": exchange.outcome,
        "is_retried": exchange.is_retried,
        "is_cached": exchange.is_cached,
        "cost": format_money(exchange.cost),
        "reason": exchange.reason,
        "text": texts.get(exchange.text, ""),
        "messages": [{"role": role, "content": content} for role, content in json.loads(stored)],
    }


def _describe_failed(run: Run, key: str, item: Item) -> dict[str, Any]:
    failure = run.failures[key]
    return {
        **_common(item),
        "outcome": failure["outcome"],
        "is_retried": True,
        "is_cached": False,
        "cost": "0.000000",
        "prediction": None,
        "reason": failure["reason"],
        "text": "",
        "messages": [],
    }


def _common(item: Item) -> dict[str, Any]:
    content = item.content
    question = content.get("question") or content.get("query") or _item_name(item)
    return {"item_key": _item_name(item), "split": item.split, "question": question}


def _prompts(run: Run, exchanges: Sequence[Exchange]) -> Mapping[str, str]:
    """Digests of the first prompts by the key of the exchange; of another run of the task for what
    was in the cache, with the same key and so the same prompt."""
    keys = {one.key for one in exchanges}
    digests = _first_prompts([run.subject], keys)
    if missing := keys - digests.keys():
        others = Run.objects.filter(task=run.task, endpoint__model=run.endpoint.model)
        latest = others.exclude(pk=run.pk).order_by("-created_at")[:MOST_OTHER_RUNS]
        digests |= _first_prompts([one.subject for one in latest], missing)
    return digests


def _first_prompts(subjects: Sequence[str], keys: set[str]) -> dict[str, str]:
    budgets = [*Budget.objects.filter(subject__in=subjects).values_list("pk", flat=True)]
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
