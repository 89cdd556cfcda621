"""Runs of language models, their tasks and their answers as the API gives them."""

from collections.abc import Sequence
from typing import Any

from django.db.models import prefetch_related_objects
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from backend.accounts.models import User
from backend.evaluation.api.run_request_serializers import RunSettingsSerializer
from backend.evaluation.models.runs import Run, RunState
from backend.evaluation.runs.attempt_scores import read_attempt_scores
from backend.evaluation.runs.commands import repeat_command
from backend.evaluation.runs.overview import main_submission, read_overviews
from backend.evaluation.runs.policies import may_see_whole_run
from backend.evaluation.runs.services import allowed_actions
from backend.evaluation.runs.task_settings import OF_SOME_TASKS
from backend.llm.calls import Outcome
from backend.tracks.model_tasks import StepwiseTask
from backend.tracks.registry import load_model_tasks, load_tracks


class PromptNameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    version = serializers.CharField()


class ModelTaskSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    description = serializers.CharField()
    prompt = PromptNameSerializer()
    needs = serializers.ListField(child=serializers.CharField())
    settings = serializers.ListField(
        child=serializers.ChoiceField(OF_SOME_TASKS),
        help_text="That the task uses; a run that sets another one is refused.",
    )
    cutoff = serializers.IntegerField(
        allow_null=True,
        help_text="Of the release. Null where it has none, and then the setting is needed if the "
        "task uses it.",
    )
    items = serializers.IntegerField(help_text="That the task covers.")
    compares_samples = serializers.BooleanField(
        help_text="Whether the board compares the most grounded of several answers to an item."
    )
    is_available = serializers.BooleanField()
    unavailable_reason = serializers.CharField(allow_blank=True)


class ModelTaskListSerializer(serializers.Serializer[Any]):
    results = ModelTaskSerializer(many=True)


class RunReleaseSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    title = serializers.CharField(source="name")


class RunEndpointSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    name = serializers.CharField()
    model = serializers.CharField()
    parameters = serializers.IntegerField(allow_null=True)


class RunTaskSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    is_stepwise = serializers.BooleanField(
        help_text="Many requests for each item: it has explorations, and no answers."
    )
    prompt = PromptNameSerializer()


class RunModelSerializer(serializers.Serializer[Any]):
    slug = serializers.CharField()
    name = serializers.CharField()


class RunPapersSerializer(serializers.Serializer[Any]):
    """Of the collection, and how many of them the cut-off leaves out of all prompts; null without
    one."""

    collection = serializers.CharField()
    papers = serializers.IntegerField()
    undated = serializers.IntegerField(
        allow_null=True, help_text="Nobody can place them before the cut-off."
    )
    later = serializers.IntegerField(allow_null=True)


class EstimateSerializer(serializers.Serializer[Any]):
    """In US dollars, for all items."""

    sampled = serializers.IntegerField()
    cost = serializers.CharField()
    worst_cost = serializers.CharField()
    calls = serializers.IntegerField()
    seconds = serializers.FloatField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    papers = RunPapersSerializer(
        allow_null=True, default=None, help_text="Of tasks that read papers."
    )


class BudgetSerializer(serializers.Serializer[Any]):
    amount = serializers.CharField()
    spent = serializers.CharField()
    reserved = serializers.CharField()
    typical = serializers.CharField(allow_null=True, help_text="Mean cost of an answered call.")


class RunProgressSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField()
    done = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    retried = serializers.IntegerField()
    cached = serializers.IntegerField()
    left = serializers.IntegerField()
    seconds_left = serializers.FloatField(allow_null=True)


class TokensSerializer(serializers.Serializer[Any]):
    # `in` is a word of Python.
    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {"in": serializers.IntegerField(), "out": serializers.IntegerField()}


class AttemptScoresSerializer(serializers.Serializer[Any]):
    split = serializers.CharField()
    attempts = serializers.ChoiceField(["first", "retried"])
    items = serializers.IntegerField()
    scores = serializers.DictField(child=serializers.FloatField())


class RunErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    detail = serializers.CharField()


class RunSubmissionSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    split = serializers.CharField()
    state = serializers.CharField()


class RunSummarySerializer(serializers.Serializer[Run]):
    """submission: of the test split, if that was answered."""

    id = serializers.UUIDField()
    release = RunReleaseSerializer()
    endpoint = RunEndpointSerializer()
    task = RunTaskSerializer(source="shown_task")
    model = RunModelSerializer()
    settings = RunSettingsSerializer()
    state = serializers.ChoiceField(RunState.choices)
    version = serializers.IntegerField()
    is_of_command = serializers.BooleanField(help_text="Made by run_model, by nobody's account.")
    estimate = EstimateSerializer(allow_null=True)
    budget = BudgetSerializer(allow_null=True, source="overview.budget")
    progress = RunProgressSerializer(source="overview.progress")
    outcomes = serializers.DictField(child=serializers.IntegerField(), source="overview.outcomes")
    tokens = TokensSerializer(source="overview.tokens")
    cost = serializers.CharField(
        source="overview.cost", help_text="In US dollars, as if nothing had been in the cache."
    )
    flags = serializers.DictField(
        child=serializers.IntegerField(),
        source="overview.flags.counts",
        help_text="Answers by what is remarkable about them: token_count, model_name, …",
    )
    models_returned = serializers.ListField(
        child=serializers.CharField(),
        source="overview.flags.models",
        help_text="The names that the endpoint gave its model.",
    )
    job = serializers.UUIDField(allow_null=True, source="job_id")
    submission = serializers.UUIDField(allow_null=True, source="main_submission")
    submissions = RunSubmissionSerializer(many=True, source="submission_rows")
    error = RunErrorSerializer(allow_null=True)
    created_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    allowed = serializers.SerializerMethodField()

    def get_allowed(self, run: Run) -> list[str]:
        return allowed_actions(run) if self.may_steer(run) else []

    def may_steer(self, run: Run) -> bool:
        """A list has only such runs."""
        return True

    def to_representation(self, instance: Run) -> Any:
        submissions = sorted(instance.submissions.all(), key=lambda one: one.split)
        main = main_submission(submissions)
        added = {
            "shown_task": run_task(instance),
            "overview": self.context["overviews"][instance.pk],
            "main_submission": main.pk if main else None,
            "submission_rows": submissions,
        }
        for name, value in added.items():
            setattr(instance, name, value)
        return super().to_representation(instance)


class RunSerializer(RunSummarySerializer):
    command = serializers.SerializerMethodField()
    attempt_scores = serializers.SerializerMethodField()

    def get_command(self, run: Run) -> str:
        return repeat_command(run)

    @extend_schema_field(AttemptScoresSerializer(many=True))
    def get_attempt_scores(self, run: Run) -> Any:
        rows = read_attempt_scores(self.context["user"], run)
        return AttemptScoresSerializer(rows, many=True).data

    def may_steer(self, run: Run) -> bool:
        return may_see_whole_run(self.context["user"], run)


def list_payload(runs: Sequence[Run]) -> list[dict[str, Any]]:
    """Of runs that the user may steer."""
    prefetch_related_objects(runs, "submissions")
    context = {"overviews": read_overviews(runs)}
    return [dict(RunSummarySerializer(run, context=context).data) for run in runs]


def run_task(run: Run) -> dict[str, Any]:
    """Also of a task that is no longer installed."""
    track = load_tracks().get(run.release.track)
    task = load_model_tasks(track).get(run.task) if track else None
    return {
        "name": run.task,
        "title": task.title if task else run.task,
        "is_stepwise": isinstance(task, StepwiseTask),
        "prompt": {
            "name": task.prompt.name if task else run.task,
            "version": run.prompt_version,
        },
    }


def run_payload(user: User | None, run: Run) -> dict[str, Any]:
    context = {"user": user, "overviews": read_overviews([run])}
    return dict(RunSerializer(run, context=context).data)


class MessageSerializer(serializers.Serializer[Any]):
    role = serializers.CharField()
    content = serializers.CharField()


class RunAnswerSerializer(serializers.Serializer[Any]):
    item_key = serializers.CharField()
    split = serializers.CharField()
    question = serializers.CharField()
    outcome = serializers.ChoiceField([one.value for one in Outcome])
    is_retried = serializers.BooleanField()
    is_cached = serializers.BooleanField()
    cost = serializers.CharField()
    prediction = serializers.CharField(allow_null=True)
    reason = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True)
    messages = MessageSerializer(many=True)


class RunAnswerPageSerializer(serializers.Serializer[Any]):
    next = serializers.URLField(allow_null=True)
    results = RunAnswerSerializer(many=True)
