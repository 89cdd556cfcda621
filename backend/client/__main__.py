import sys

from backend.client.command_line import main

if __name__ == "__main__":
    sys.exit(main())
