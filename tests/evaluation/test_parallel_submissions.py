"""Members of a team who submit at the same moment, over connections of their own."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from django.db import connection

from backend.accounts.models import Team, TeamMember
from backend.benchmarks.models import Release
from backend.benchmarks.registered_models import register_model
from backend.benchmarks.releases import ReleaseRequest, make_release
from backend.evaluation.models import Submission
from tests.evaluation.submission_forms import SUBMISSIONS, form, send
from tests.evaluation.truthhypo_files import prediction_lines, write_source
from tests.personas import Person, make_person

MEMBERS = 6


@pytest.mark.django_db(transaction=True)
def test_members_cannot_share_the_last_queries_of_their_team(tmp_path: Path) -> None:
    request = ReleaseRequest(track="truthhypo", name="Pairs", slug="pairs")
    make_release(actor=None, request=request, files=[write_source(tmp_path)])
    Release.objects.update(state=Release.State.OPEN, queries=2)
    people = [make_person(f"member{number}", is_researcher=True) for number in range(MEMBERS)]
    team = Team.objects.create(name="Six", owner=people[0].user)
    for person in people:
        TeamMember.objects.create(team=team, user=person.user)
        register_model(actor=person.user, name=person.user.name)
    start = Barrier(MEMBERS)

    def submit(person: Person) -> int:
        body = form(prediction_lines(range(60)), model=person.user.name.lower())
        start.wait(timeout=30)
        try:
            return int(send(person.browser, SUBMISSIONS, body).status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(MEMBERS) as threads:
        statuses = Counter(threads.map(submit, people))
    assert statuses == {202: 2, 429: MEMBERS - 2}
    assert Submission.objects.count() == 2
