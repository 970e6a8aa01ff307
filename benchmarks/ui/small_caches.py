"""The app with caches a sixteenth as large: they are full within a minute, and what grows then is a leak.

python -m benchmarks.ui.small_caches --server.port 8501
"""

import os
import sys

# As in the app itself: before anything imports torch.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

from streamlit.web.cli import main

from explorer.histories import cached as histories
from explorer.models import decodings
from explorer.views.decoding import cached as internals
from explorer.views.living_map import cached as maps
from explorer.views.sampling import cached as samples
from explorer.views.update import cached as updates

SMALLER = 16


def run() -> None:
    """Serve the app with the options of the command line."""
    for module in (decodings, maps, internals, samples, histories, updates):
        for name in [name for name in vars(module) if name.endswith("_BYTES")]:
            setattr(module, name, getattr(module, name) // SMALLER)
    sys.argv = ["streamlit", "run", "streamlit_app.py", *sys.argv[1:]]
    main()


if __name__ == "__main__":
    run()
