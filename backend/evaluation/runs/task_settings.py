"""Which settings a task uses, and the cut-off that holds for it on a release."""

from collections.abc import Mapping, Sequence

from backend.benchmarks.models import Release
from backend.common.errors import DomainError
from backend.evaluation.runs.context_request import ContextRequest
from backend.evaluation.runs.pair_papers import default_collection
from backend.evaluation.runs.run_settings import RunSettings
from backend.graphs.literature.cutoff import find_unit_fault
from backend.tracks.model_tasks import AnyTrackTask, ContextKind, StepwiseTask
from backend.validation.faults import Fault

SAMPLE = "sample"  # of a task whose items are one request each
GUIDED_FLAGS = ("without_summaries", "without_weights")
GUIDED = ("relations", "edges", "width", "depth", *GUIDED_FLAGS, "seed")
USERS: Mapping[str, frozenset[ContextKind]] = {
    "cutoff": frozenset({ContextKind.LINK_CHAINS, ContextKind.PAPERS}),
    "papers": frozenset({ContextKind.PAPERS}),
    "paper_ranker": frozenset({ContextKind.PAPERS}),
    "ranker": frozenset({ContextKind.CANDIDATES}),
    **dict.fromkeys(GUIDED, frozenset({ContextKind.WALKED_GRAPH})),
}
OF_SOME_TASKS = (*USERS, SAMPLE)
OF_ALL_TASKS = ("temperature", "max_items", "split")


def list_settings(task: AnyTrackTask) -> Sequence[str]:
    """Those of its context, and samples where it takes them; the others are for every task."""
    of_context = [name for name, kinds in USERS.items() if kinds & task.needs]
    return of_context if isinstance(task, StepwiseTask) else [*of_context, SAMPLE]


def without_unused(task: AnyTrackTask, settings: RunSettings) -> RunSettings:
    """Those of a run that was made when its task took settings which it does not use."""
    unused = set(USERS) - set(list_settings(task))
    return RunSettings.model_validate(settings.model_dump(exclude_unset=True, exclude=unused))


def complete_settings(release: Release, task: AnyTrackTask, settings: RunSettings) -> RunSettings:
    """With what a default stands for: the cut-off of the release, and the collection of papers,
    which may be another one later. Raises DomainError that names the setting."""
    used = list_settings(task)
    for name in OF_SOME_TASKS:
        if name in settings.model_fields_set and name not in used and getattr(settings, name):
            raise setting_fault(name, f"The task {task.name} does not use '{name}'. Leave it out.")
    added: dict[str, object] = {}
    if "cutoff" in used:
        added["cutoff"] = require_cutoff(release, settings)
    if "papers" in used and not settings.papers:
        collection = default_collection()
        added["papers"] = collection.slug if collection else ""
    require_sampling(settings)
    return settings.model_copy(update=added)


def require_sampling(settings: RunSettings) -> None:
    if settings.sample and not settings.temperature:
        message = "Samples at temperature 0 are all equal. Set a temperature above 0."
        raise setting_fault("sample", message)


def require_cutoff(release: Release, settings: RunSettings) -> int:
    """The prompt states a cut-off, so there must be one."""
    given, most = settings.cutoff, release.cutoff
    if given is not None and most is not None and given > most:
        message = f"The cut-off of the release is {most}. Choose it or an earlier one."
        raise setting_fault("cutoff", message)
    cutoff = release.earlier_cutoff(given)
    if cutoff is None:
        message = "This task needs a cut-off, and the release has none. Set the cutoff."
        raise setting_fault("cutoff", message)
    if message := find_unit_fault(cutoff, ContextRequest(release, settings).date_unit):
        raise setting_fault("cutoff", message)
    return cutoff


def setting_fault(name: str, message: str) -> DomainError:
    return DomainError(message, code=name, faults=[Fault(f"settings.{name}", message, name)])
