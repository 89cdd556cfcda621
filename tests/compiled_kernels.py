"""Which kernels this process has compiled or loaded."""

import sys


def count_signatures() -> dict[str, int]:
    """The number of types that each kernel of the product is there for, by its name."""
    return {
        f"{value.__module__}.{name}": len(value.signatures)
        for module_name, module in list(sys.modules.items())
        if module_name.startswith("backend.")
        for name, value in vars(module).items()
        if hasattr(value, "signatures")
    }
