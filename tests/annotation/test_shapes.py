"""What is sent has the shape that the schema promises."""

from typing import Any

from annotation.answers import Sent, as_told, stale
from annotation.api.serializers import (
    ResponseSerializer,
    StaleSerializer,
    SubmittedSerializer,
    YoursSerializer,
)
from annotation.models import Action, Response
from tests.annotation.personas import Cast, answer


def test_an_answer_and_a_conflict_have_the_members_of_the_schema(cast: Cast) -> None:
    answer(cast.assignment(), Action.AGREE)
    response = Response.objects.get()
    told = as_told(response)
    assert set(told) == set(ResponseSerializer().fields)
    assert set(told["submitted"] or {}) == set(SubmittedSerializer().fields)
    shown: Any = told  # the serializer is declared for the row that it comes from
    assert ResponseSerializer(shown).data == told
    late = Sent(version=0, action=Action.SUBMIT, ranking=response.ranking)
    from_elsewhere = stale(response, late).data
    assert set(from_elsewhere["yours"]) == set(YoursSerializer().fields)
    assert {"current", "yours"} <= set(StaleSerializer().fields)
