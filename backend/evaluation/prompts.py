"""The prompts of this installation, with the tasks that send them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from backend.common.errors import NotFound
from backend.tracks.grounding_tasks import GROUNDING_TASKS
from backend.tracks.hypothesis_tasks import HYPOTHESES_TASK
from backend.tracks.judge_tasks import JUDGE_TASKS
from backend.tracks.model_tasks import AnyModelTask, Prompt
from backend.tracks.registry import load_model_tasks, load_tracks
from backend.tracks.serenqa_ensemble import ENSEMBLE_TASK
from backend.tracks.synthesis_tasks import SYNTHESIS_TASKS


@dataclass(frozen=True)
class TaskPrompt:
    prompt: Prompt
    tasks: list[AnyModelTask] = field(default_factory=list)


def list_prompts() -> Sequence[TaskPrompt]:
    """By name. Tasks of several tracks may share one."""
    prompts: dict[str, TaskPrompt] = {}
    for task in _all_tasks():
        prompts.setdefault(task.prompt.name, TaskPrompt(task.prompt)).tasks.append(task)
    return [prompts[name] for name in sorted(prompts)]


def get_prompt_or_raise(name: str) -> TaskPrompt:
    prompts = {one.prompt.name: one for one in list_prompts()}
    if name not in prompts:
        raise NotFound("There is no prompt of this name.")
    return prompts[name]


def _all_tasks() -> Iterable[AnyModelTask]:
    for track in load_tracks().values():
        for task in load_model_tasks(track).values():
            yield from task.requests
    yield ENSEMBLE_TASK
    yield from GROUNDING_TASKS
    yield HYPOTHESES_TASK
    yield from JUDGE_TASKS
    yield from SYNTHESIS_TASKS
