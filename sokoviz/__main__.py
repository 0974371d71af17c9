"""Run the command line as ``python -m sokoviz``."""

from sokoviz.cli import main

raise SystemExit(main())
