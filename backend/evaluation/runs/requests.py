"""From an item of a task to the request that the client of models sends."""

from typing import Any

from backend.llm.call_keys import digest_of_parts
from backend.llm.calls import Flag, ModelRequest
from backend.llm.models import Endpoint
from backend.tracks.context_fit import fit_context
from backend.tracks.model_answers import ModelAnswer, bounded_schema, read_answer
from backend.tracks.model_tasks import AnyModelTask, TaskContext

# Of prompts with identifiers and names, which tokenizers cut small; English has four.
CHARACTERS_OF_A_TOKEN = 2.5
TOKENS_OF_FRAMES = 200  # chat template and schema


def fit_endpoint(
    task: AnyModelTask, item: Any, context: TaskContext, endpoint: Endpoint
) -> tuple[TaskContext, frozenset[Flag]]:
    """Without what the endpoint could not read, where it states what it reads."""
    is_cut = False
    if endpoint.context_tokens is not None:
        left = endpoint.context_tokens - task.max_tokens - TOKENS_OF_FRAMES
        fitted = fit_context(task, item, context, int(left * CHARACTERS_OF_A_TOKEN))
        context, is_cut = fitted.context, fitted.is_cut
    flags = {Flag.CUT_CONTEXT: is_cut, Flag.CUT_TEXTS: task.has_longer_texts(context)}
    return context, frozenset(flag for flag, is_set in flags.items() if is_set)


def make_request(
    task: AnyModelTask,
    item: Any,
    key: str,
    context: TaskContext,
    *,
    endpoint: Endpoint,
    temperature: float = 0.0,
) -> ModelRequest:
    """Equal arguments make equal requests, so that a resumed run finds its answers; also where the
    endpoint reads more or less since (`whole_digest`).

    Servers of a private network are often llama.cpp or vLLM, which observe bounds of texts; small
    models need them to end. The calls have the flags of what was cut.
    """
    whole, (context, flags) = context, fit_endpoint(task, item, context, endpoint)
    schema = task.schema_for(item, context)
    whole_digest = ""
    if endpoint.is_private or context is not whole:
        whole_digest = digest_of_parts(task.messages(item, whole), task.schema_for(item, whole))
    if endpoint.is_private:
        schema = bounded_schema(task, item, context)

    def read(text: str) -> tuple[object, str]:
        answer: ModelAnswer[Any, Any] = read_answer(task, item, text, context)
        return answer.prediction, answer.reading

    return ModelRequest(
        messages=task.messages(item, context),
        max_tokens=task.max_tokens,
        prompt_name=task.prompt.name,
        prompt_version=task.prompt.version,
        item_key=key,
        schema=schema,
        schema_name=task.name.replace("-", "_"),
        read=read,
        temperature=temperature,
        flags=flags,
        whole_digest=whole_digest,
    )
