"""`python -m fabai`, the same as the `fabai` command."""

import sys

from fabai.cli import main

if __name__ == "__main__":
    sys.exit(main())
