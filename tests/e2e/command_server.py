"""Commands of manage.py for journeys, each in a fork of a process that has loaded Django."""

import os
import sys

from tests.fork_server import ForkServer, serve


class CommandServer:
    """For one stack, while its servers run. `run` is for one thread at a time."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._server = ForkServer("tests.e2e.command_server", environment)

    def run(self, arguments: tuple[str, ...]) -> str:
        """What the command printed. Raises RuntimeError, with its errors, if it failed."""
        process = self._server.start({"arguments": arguments})
        out, errors = process.communicate()
        if process.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{errors}")
        return out

    def close(self) -> None:
        self._server.close()


def run_command(request: dict[str, list[str]]) -> None:
    import manage

    sys.argv = ["manage.py", *request["arguments"]]
    manage.run(sys.argv)


def main() -> None:
    import django

    from backend.config.embedded import command_services
    from tests.command_processes import load_commands

    os.environ["DB_POOL"] = "0"  # the threads of a pool would not survive a fork
    with command_services.run_servers_for(["shell"]):
        django.setup()
        load_commands()
        serve(run_command)


if __name__ == "__main__":
    main()
