"""Every socket, opened by everybody."""

import pytest
from asgiref.sync import sync_to_async

from tests.annotation.test_socket import opened
from tests.architecture.routes import SOCKETS, WHO, make_world


@pytest.mark.django_db(transaction=True)
async def test_everybody_is_let_in_or_closed_as_the_table_says() -> None:
    world = await sync_to_async(make_world)()
    for template, codes in SOCKETS.items():
        found = {}
        for who in WHO:
            page = await opened(await sync_to_async(world.path)(template), world.person(who))
            found[who] = await page.closed_with()
        assert found == dict(zip(WHO, codes, strict=True))
