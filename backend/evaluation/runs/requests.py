"""From an item of a task to the request that the client of models sends."""

from typing import Any

from backend.evaluation.runs.run_items import RunItem
from backend.evaluation.runs.run_settings import RunSettings
from backend.llm.calls import ModelRequest
from backend.llm.models import Endpoint
from backend.tracks.model_answers import ModelAnswer, bounded_schema, read_answer
from backend.tracks.model_tasks import AnyModelTask, TaskContext


def make_request(
    task: AnyModelTask,
    one: RunItem,
    context: TaskContext,
    *,
    endpoint: Endpoint,
    settings: RunSettings,
) -> ModelRequest:
    """Equal arguments make equal requests, so that a resumed run finds its answers.

    Servers of a private network are often llama.cpp or vLLM, which observe bounds of texts; small
    models need them to end.
    """
    schema = task.schema_for(one.item, context)
    if endpoint.is_private:
        schema = bounded_schema(task, one.item, context)

    def read(text: str) -> tuple[object, str]:
        answer: ModelAnswer[Any, Any] = read_answer(task, one.item, text, context)
        return answer.prediction, answer.reading

    return ModelRequest(
        messages=task.messages(one.item, context),
        max_tokens=task.max_tokens,
        prompt_name=task.prompt.name,
        prompt_version=task.prompt.version,
        item_key=one.key,
        schema=schema,
        schema_name=task.name.replace("-", "_"),
        read=read,
        temperature=settings.temperature,
    )
