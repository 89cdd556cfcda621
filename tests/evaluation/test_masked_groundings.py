"""Where a release has a masked graph, its submissions are grounded on that one alone."""

import pytest

from backend.benchmarks.release_graph_lookup import walked_version
from backend.common.errors import Conflict
from backend.evaluation.grounding.submissions import settings_within
from tests.evaluation.masked_release import MaskedRelease

pytestmark = pytest.mark.django_db


def test_the_full_graph_of_a_masked_release_is_refused(masked: MaskedRelease) -> None:
    release = masked.release
    own = walked_version(release)
    assert own is not None
    assert own.pk != release.graph_version_id
    assert settings_within(release, version=None, collection=None).version == own
    assert settings_within(release, version=own, collection=None).version == own
    with pytest.raises(Conflict) as caught:
        settings_within(release, version=release.graph_version, collection=None)
    assert caught.value.code == "graph_not_masked"
