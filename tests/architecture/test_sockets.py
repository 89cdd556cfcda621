"""Every socket, opened by everybody."""

import pytest
from asgiref.sync import sync_to_async

from tests.annotation.socket_client import open_socket
from tests.architecture.routes import PERSONAS, SOCKETS, make_world


@pytest.mark.django_db(transaction=True)
async def test_everybody_is_let_in_or_closed_as_the_table_says() -> None:
    world = await sync_to_async(make_world)()
    for template, codes in SOCKETS.items():
        result = {}
        for who in PERSONAS:
            page = await open_socket(await sync_to_async(world.path)(template), world.person(who))
            result[who] = await page.closed_with()
        assert result == dict(zip(PERSONAS, codes, strict=True))
