from argparse import ArgumentParser, ArgumentTypeError
from decimal import Decimal, InvalidOperation
from typing import Any

from backend.common.command_utils import JsonCommand, Output
from backend.llm.endpoints import NewEndpoint, register_endpoint
from backend.llm.models import Endpoint
from backend.llm.models.endpoints import MAX_MODEL_LENGTH, MAX_NAME_LENGTH


def parse_price(text: str) -> Decimal:
    try:
        price = Decimal(text)
    except InvalidOperation:
        price = Decimal("nan")
    if not price.is_finite() or price < 0:
        raise ArgumentTypeError("a price in dollars for a million tokens is expected, such as 0.15")
    return price


def bounded_text(length: int) -> Any:
    def parse(text: str) -> str:
        if not text.strip() or len(text) > length or not text.isprintable():
            raise ArgumentTypeError(f"a text on one line of at most {length} characters is needed")
        return text

    return parse


class Command(JsonCommand):
    help = (
        "Register a language model behind an OpenAI-compatible address, or change the prices and "
        "limits of the one with this name. Its key is read from an environment variable."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", type=bounded_text(MAX_NAME_LENGTH))
        parser.add_argument("--url", required=True, help="such as https://models.example.org/v1")
        parser.add_argument("--model", required=True, type=bounded_text(MAX_MODEL_LENGTH))
        parser.add_argument("--key-env", default="", metavar="VARIABLE")
        parser.add_argument("--price-in", required=True, type=parse_price, metavar="DOLLARS")
        parser.add_argument("--price-out", required=True, type=parse_price, metavar="DOLLARS")
        parser.add_argument("--max-in-flight", type=int, default=32)
        parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS")
        parser.add_argument("--context", type=int, metavar="TOKENS")
        parser.add_argument("--parameters", type=int, help="of the model, such as 135000000")
        parser.add_argument(
            "--usable-by",
            choices=("everyone", "administrators"),
            default="administrators",
        )
        parser.add_argument("--may-publish", action="store_true")
        parser.add_argument(
            "--private", action="store_true", help="its host may be in a private network"
        )
        super().add_arguments(parser)

    def run(self, options: dict[str, Any]) -> Output:
        new = NewEndpoint(
            name=options["name"],
            base_url=options["url"],
            model=options["model"],
            key_env=options["key_env"],
            price_in=options["price_in"],
            price_out=options["price_out"],
            max_in_flight=options["max_in_flight"],
            timeout_s=options["timeout"],
            context_tokens=options["context"],
            parameters=options["parameters"],
            usable_by=Endpoint.UsableBy(options["usable_by"]),
            may_publish=options["may_publish"],
            is_private=options["private"],
        )
        endpoint = register_endpoint(actor=None, new=new)
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
