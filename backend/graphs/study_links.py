"""Which version of a graph a study pins."""

from backend.graphs.models import StudyGraph, Version
from backend.studies.models import Study


def pinned_version(study: Study) -> Version | None:
    link = getattr(study, "graph_link", None)  # missing where the study pins nothing
    return link.version if isinstance(link, StudyGraph) else None


def pin_version(study: Study, version: Version | None) -> None:
    """Replace what the study pins; None unpins. The caller has locked the study."""
    if version is None:
        StudyGraph.objects.filter(study=study).delete()
    else:
        StudyGraph.objects.update_or_create(study=study, defaults={"version": version})
    study.refresh_from_db()
