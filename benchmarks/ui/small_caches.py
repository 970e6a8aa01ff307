"""Serve the app with caches of a sixteenth of their size. They fill within a minute; later growth is a leak.

python -m benchmarks.ui.small_caches --server.port 8501
"""

import os
import sys

# Must be set before anything imports torch, as in the app itself.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from streamlit.web.cli import main

from explorer.histories import cached as histories
from explorer.models import decodings
from explorer.views.decoding import cached as internals
from explorer.views.living_map import cached as maps
from explorer.views.sampling import cached as samples
from explorer.views.update import cached as updates

DIVISOR = 16


def run() -> None:
    """Shrink the caches, then serve the app with the options of the command line."""
    for module in (decodings, maps, internals, samples, histories, updates):
        for name in [name for name in vars(module) if name.endswith("_BYTES")]:
            setattr(module, name, getattr(module, name) // DIVISOR)
    sys.argv = ["streamlit", "run", "streamlit_app.py", *sys.argv[1:]]
    main()


if __name__ == "__main__":
    run()
