"""API tokens of the persons of a world, as requests send them."""

from backend.accounts.api_tokens import create_api_token, revoke_api_token
from backend.accounts.models import User
from tests.architecture.routes import World
from tests.personas import make_person


def token_headers(world: World) -> dict[str, dict[str, str]]:
    """Those of a researcher, of another one, and a revoked one."""
    other = make_person("rita", is_researcher=True).user
    result = {}
    owners: dict[str, tuple[User, str]] = {
        "read token": (world.researcher, "read"),
        "submit token": (world.researcher, "submit"),
        "token of another": (other, "submit"),
        "revoked token": (world.researcher, "submit"),
        "token of an administrator": (world.administrator, "submit"),
    }
    for name, (owner, scope) in owners.items():
        token, secret = create_api_token(actor=owner, name=name, scope=scope)
        if name == "revoked token":
            revoke_api_token(actor=owner, token_id=token.pk)
        result[name] = {"HTTP_AUTHORIZATION": f"Bearer {secret}"}
    return result
