import os
from typing import Any

from django.core.management.base import BaseCommand

from backend.benchmarks.rns.jit_warmup import compile_kernels
from backend.common.command_utils import NO_CHECKS
from backend.runtime.jit import remove_stale_cache

LOW_PRIORITY = 10


class Command(BaseCommand):
    help = "Compile the numeric kernels ahead of their first use. Compiling again changes nothing."
    requires_system_checks = NO_CHECKS

    def handle(self, *args: Any, **options: Any) -> None:
        os.nice(LOW_PRIORITY)  # requests have priority
        remove_stale_cache()
        compile_kernels()
