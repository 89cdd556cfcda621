from argparse import ArgumentParser, ArgumentTypeError, BooleanOptionalAction
from decimal import Decimal, InvalidOperation
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.llm.budgets import MAX_AMOUNT
from backend.llm.endpoints import LIMITS, set_endpoint
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import MAX_MODEL_LENGTH, MAX_NAME_LENGTH

MEMBERS = (
    *("base_url", "model", "key_env", "price_in", "price_out", *LIMITS),
    *("usable_by", "may_publish", "is_private"),
)


def parse_price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        price = Decimal("nan")
    if not price.is_finite() or price < 0:
        raise ArgumentTypeError("a price in dollars for a million tokens is expected, such as 0.15")
    return price


def parse_budget(text: str) -> Decimal:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("nan")
    if not (amount.is_finite() and 0 <= amount <= MAX_AMOUNT):
        raise ArgumentTypeError(f"dollars from 0 to {MAX_AMOUNT:,} are expected, such as 2.50")
    return amount


def bounded_text(length: int) -> Any:
    def parse(text: str) -> str:
        if not text.strip() or len(text) > length or not text.isprintable():
            raise ArgumentTypeError(f"a text on one line of at most {length} characters is needed")
        return text

    return parse


class Command(JsonCommand):
    help = (
        "Register a language model behind an OpenAI-compatible address, or change what the options "
        "name of the one with this name. Its key is read from an environment variable."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Defaults are None, which changes nothing; a new endpoint has those of NewEndpoint."""
        parser.add_argument("name", type=bounded_text(MAX_NAME_LENGTH))
        parser.add_argument("--url", dest="base_url", help="such as https://models.example.org/v1")
        parser.add_argument("--model", type=bounded_text(MAX_MODEL_LENGTH))
        parser.add_argument("--key-env", metavar="VARIABLE", help="'' removes the key")
        parser.add_argument("--price-in", type=parse_price, metavar="DOLLARS")
        parser.add_argument("--price-out", type=parse_price, metavar="DOLLARS")
        parser.add_argument("--max-in-flight", type=int)
        parser.add_argument("--timeout", dest="timeout_s", type=int, metavar="SECONDS")
        parser.add_argument("--context", dest="context_tokens", type=int, metavar="TOKENS")
        parser.add_argument("--parameters", type=int, help="of the model, such as 135000000")
        parser.add_argument(
            "--cache-epoch",
            type=int,
            help="another number where another model is behind the name: no answer is used again",
        )
        parser.add_argument(
            "--usable-by", type=Endpoint.UsableBy, choices=("everyone", "administrators")
        )
        parser.add_argument("--may-publish", action=BooleanOptionalAction)
        parser.add_argument(
            "--private",
            dest="is_private",
            action=BooleanOptionalAction,
            help="its host may be in a private network",
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        given = {name: options[name] for name in MEMBERS if options[name] is not None}
        endpoint = set_endpoint(name=options["name"], given=given)
        payload = {
            "id": str(endpoint.pk),
            "name": endpoint.name,
            "base_url": endpoint.base_url,
            "model": endpoint.model,
            "price_in": str(endpoint.price_in),
            "price_out": str(endpoint.price_out),
            "has_key": endpoint.has_key,
        }
        return payload, [f"{endpoint.name}: {endpoint.model} at {endpoint.base_url}"]
