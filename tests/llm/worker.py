"""A process that asks an endpoint about items and pays from a budget, as a run's worker does.

python -m tests.llm.worker ENDPOINT BUDGET FIRST LAST; prints a line of JSON for each answer. It is
killed by tests.
"""

import asyncio
import json
import sys

import django


def main() -> None:
    django.setup()
    from backend.llm.budgets import BudgetExhausted
    from backend.llm.client import ModelSession
    from backend.llm.models import Budget, Endpoint
    from tests.llm.factories import QUICK, SHORT, make_request

    endpoint = Endpoint.objects.get(pk=sys.argv[1])
    budget = Budget.objects.get(pk=sys.argv[2])
    items = range(int(sys.argv[3]), int(sys.argv[4]))

    async def run() -> None:
        async with ModelSession(budget, rules=QUICK, times=SHORT) as session:

            async def complete(item: int) -> None:
                try:
                    answer = await session.complete(endpoint, make_request(item))
                except BudgetExhausted:
                    return
                row = {
                    "item": item,
                    "outcome": answer.outcome,
                    "text": answer.text,
                    "is_retried": answer.is_retried,
                }
                sys.stdout.write(json.dumps(row) + "\n")
                sys.stdout.flush()

            await asyncio.gather(*(complete(item) for item in items))

    asyncio.run(run())


if __name__ == "__main__":
    main()
