"""What a run requested of each item and what was answered, in the order of the release."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from backend.accounts.models import User
from backend.benchmarks.models import Item, ReleaseSplit
from backend.benchmarks.track_catalogue import get_track_or_raise
from backend.evaluation.models.runs import Run
from backend.evaluation.prediction_files import prediction_path
from backend.evaluation.runs.estimates import format_money
from backend.evaluation.runs.policies import may_see_whole_run
from backend.llm.models import Call, Exchange, StoredText
from backend.runtime.lru_cache import LruCache

FILES_AT_ONCE = 4
Key = tuple[Any, ...]
_predictions: LruCache[Mapping[Key, str]] = LruCache(FILES_AT_ONCE)


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
    ended = [
        (key, result)
        for key, result in _ended(run)
        if key.partition(":")[0] in splits and outcome in ("", result)
    ]
    items = _items(run, [key for key, _ in ended])
    chosen = [one for one, _ in ended if one in items and _matches(items[one], text)]
    chosen.sort(key=lambda key: items[key].position)
    shown = chosen[first : first + limit]
    return AnswerPage(_describe(run, {key: items[key] for key in shown}), len(chosen))


def _ended(run: Run) -> list[tuple[str, str]]:
    rows = Exchange.objects.filter(budget__subject=run.subject).values_list("item_key", "outcome")
    return [*rows, *((key, one["outcome"]) for key, one in run.failures.items())]


def _items(run: Run, keys: Sequence[str]) -> Mapping[str, Item]:
    """By the key in the ledger, which counts the items of each split."""
    chosen = {*keys}
    by_key: dict[str, Item] = {}
    for split in {key.partition(":")[0] for key in keys}:
        rows = Item.objects.filter(release=run.release, split=split).order_by("position")
        for at, item in enumerate(rows):
            if (key := f"{split}:{at}") in chosen:
                by_key[key] = item
    return by_key


def _matches(item: Item, text: str) -> bool:
    return text.casefold() in _item_name(item).casefold()


def _item_name(item: Item) -> str:
    return ", ".join(map(str, item.key_parts))


def _describe(run: Run, items: Mapping[str, Item]) -> list[dict[str, Any]]:
    rows = Exchange.objects.filter(budget__subject=run.subject, item_key__in=[*items])
    exchanges = {one.item_key: one for one in rows}
    prompts = _prompts(run, [*exchanges.values()])
    texts = _texts({one.text for one in exchanges.values()} | {*prompts.values()})
    return [
        _describe_ended(run, item, exchanges[key], texts, prompts)
        if key in exchanges
        else _describe_failed(run, key, item)
        for key, item in items.items()
    ]


def _describe_ended(
    run: Run,
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
        "prediction": _prediction(run, item),
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
    """Digests of the first prompts by the key of the exchange; of another run for what was in the
    cache, with the same key and so the same prompt."""
    keys = {one.key for one in exchanges}
    own = Call.objects.filter(budget__subject=run.subject, key__in=keys, number=1)
    digests = dict(own.values_list("key", "prompt"))
    if missing := keys - digests.keys():
        others = Call.objects.filter(key__in=missing, number=1)
        digests.update(others.values_list("key", "prompt"))
    return digests


def _texts(digests: set[str]) -> Mapping[str, str]:
    rows = StoredText.objects.filter(digest__in=digests - {""})
    return {one.digest: bytes(one.content).decode("utf-8", "replace") for one in rows}


def _prediction(run: Run, item: Item) -> str | None:
    """As the submitted file has it; None before."""
    submission = run.submissions.filter(split=item.split).first()
    if submission is None:
        return None
    digest = submission.file_digest
    fields = get_track_or_raise(run.release.track).key_fields
    rows = _predictions.get_or_create(f"{digest} {fields}", lambda: _read(digest, fields))
    return rows.get(tuple(item.key_parts))


def _read(digest: str, fields: Sequence[str]) -> Mapping[Key, str]:
    rows: dict[Key, str] = {}
    with prediction_path(digest).open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            rest = {name: value for name, value in row.items() if name not in fields}
            rest = {name: value for name, value in rest.items() if value is not None}
            value = next(iter(rest.values())) if len(rest) == 1 else rest
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            rows[tuple(row[name] for name in fields)] = text
    return rows
