from collections.abc import Callable
from datetime import timedelta

from backend.graphs.cypher_service import (
    CYPHER_DATABASE,
    build_database_of_job,
    is_database_built,
)
from backend.graphs.import_job import Result, run_import
from backend.graphs.import_service import delete_import_leftovers
from backend.graphs.literature.import_job import (
    discard_unfinished_collection,
    run_paper_import,
    sweep_collections,
)
from backend.graphs.literature.import_service import PAPER_IMPORT
from backend.graphs.metapath_jobs import (
    METAPATH_TEST,
    may_see_metapath_test,
    run_metapath_test,
)
from backend.graphs.uploads import remove_uploads
from backend.graphs.versions import GRAPH_IMPORT, discard_unfinished_version
from backend.jobs.context import JobContext
from backend.jobs.registry import job_kind


@job_kind(
    GRAPH_IMPORT,
    queue="long",
    time_limit=timedelta(hours=12),  # the largest graph takes hours
    discard_attempt=discard_unfinished_version,
    clean_up=lambda job: remove_uploads(job.pk),
    sweep=delete_import_leftovers,
)
def import_graph(context: JobContext) -> Callable[[], Result]:
    return run_import(context)


@job_kind(
    CYPHER_DATABASE,
    queue="long",
    time_limit=timedelta(hours=2),
    is_result_intact=is_database_built,
)
def build_cypher_database(context: JobContext) -> Result:
    build_database_of_job(context.job)
    return {}


@job_kind(
    PAPER_IMPORT,
    queue="long",
    time_limit=timedelta(hours=12),
    discard_attempt=discard_unfinished_collection,
    clean_up=lambda job: remove_uploads(job.pk),
    sweep=sweep_collections,
)
def import_papers(context: JobContext) -> Callable[[], Result]:
    return run_paper_import(context)


@job_kind(
    METAPATH_TEST,
    queue="long",
    time_limit=timedelta(hours=3),  # its work is bounded to about two
    group="rns",  # one at a time of both, so that imports have a slot
    may_see=may_see_metapath_test,
)
def test_metapaths(context: JobContext) -> Result:
    return run_metapath_test(context)
