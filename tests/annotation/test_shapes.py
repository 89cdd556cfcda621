"""What is sent has the shape that the schema promises."""

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
    assert list(told) == list(ResponseSerializer().fields)
    assert list(told["submitted"] or {}) == list(SubmittedSerializer().fields)
    assert ResponseSerializer(told).data == told
    late = Sent(version=0, action=Action.SUBMIT, ranking=response.ranking)
    from_elsewhere = stale(response, late).data
    assert list(from_elsewhere["yours"]) == list(YoursSerializer().fields)
    assert {"current", "yours"} <= set(StaleSerializer().fields)
