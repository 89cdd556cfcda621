"""What is sent has the shape that the schema promises."""

from typing import Any

import pytest

from annotation.api.serializers import (
    ClientVersionSerializer,
    ResponseSerializer,
    SubmittedAnswerSerializer,
    VersionConflictSerializer,
)
from annotation.models import Action, Response
from annotation.responses import (
    ResponseWrite,
    VersionConflict,
    serialize_response,
    write_response,
)
from tests.annotation.personas import Cast, write_answer


def test_an_answer_and_a_conflict_have_the_members_of_the_schema(cast: Cast) -> None:
    write_answer(cast.assignment(), "agree")
    response = Response.objects.get()
    sent = serialize_response(response)
    assert set(sent) == set(ResponseSerializer().fields)
    assert set(sent["submitted"] or {}) == set(SubmittedAnswerSerializer().fields)
    shown: Any = sent  # the serializer is declared for the row that it comes from
    assert ResponseSerializer(shown).data == sent
    late = ResponseWrite(version=0, action=Action.SAVE, payload=response.payload)
    with pytest.raises(VersionConflict) as conflict:
        write_response(actor=cast.expert, assignment_id=cast.assignment().id, write=late)
    assert conflict.value.data["server_version"] == sent
    assert set(conflict.value.data["client_version"]) == set(ClientVersionSerializer().fields)
    assert set(conflict.value.data) <= set(VersionConflictSerializer().fields)
