"""Everybody reads what language models are asked."""

import pytest
from django.test import Client

from tests.tracks.model_task_examples import every_task

pytestmark = pytest.mark.django_db


def test_a_visitor_reads_each_prompt_with_its_version_and_source(client: Client) -> None:
    listed = client.get("/api/v1/prompts").json()["results"]
    assert [one["name"] for one in listed] == sorted(one["name"] for one in listed)
    for name, task in every_task().items():
        prompt = client.get(f"/api/v1/prompts/{task.prompt.name}").json()
        assert prompt["system"] == task.prompt.system
        assert prompt["user"] == task.prompt.user
        assert (prompt["version"], prompt["intent"]) == (task.prompt.version, task.prompt.intent)
        assert (prompt["source"], prompt["output"]) == (task.prompt.source, task.prompt.output)
        described = {"name": name, "title": task.title, "track": task.track}
        assert described in prompt["tasks"]
        assert described in [one for listing in listed for one in listing["tasks"]]


def test_three_tasks_of_stark_share_a_prompt(client: Client) -> None:
    prompt = client.get("/api/v1/prompts/stark-rerank").json()
    assert [one["track"] for one in prompt["tasks"]] == ["stark-amazon", "stark-mag", "stark-prime"]


def test_an_unknown_prompt_is_not_found(client: Client) -> None:
    answer = client.get("/api/v1/prompts/nothing")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
