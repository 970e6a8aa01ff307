"""What the pages of a server import when everything is said to be imported: python -m tests.explorer.server.importing.

A process of its own, because one that has run other tests has imported more. Prints the modules for each page.
"""

import json
import sys
from importlib import import_module
from pathlib import Path

from streamlit.testing.v1 import AppTest

from tests.addresses import FILES

ROOT = Path(__file__).parents[3]


def main() -> None:
    # As a server begins.
    import_module("streamlit.web.cli")
    import_module("streamlit_app")
    from explorer.server.libraries import import_everything

    import_everything()
    import torch

    # It brings in torch's compiler and more.
    torch.optim.Adam([torch.zeros(1, requires_grad=True)]).step()

    met: list[str] = []

    def listen(event: str, values: tuple) -> None:
        # Those of Python itself need nobody's care: none looks whether another thread has half of it.
        if event == "import" and values[0].split(".")[0] not in sys.stdlib_module_names:
            met.append(values[0])

    sys.addaudithook(listen)
    app = AppTest.from_file(ROOT / "streamlit_app.py", default_timeout=120).run()
    found = {}
    # What an own run brings to a page is on those of trainings.
    trainings = [page for page in FILES if "training" in page]
    for run, pages in (("", FILES), *((run, trainings) for run in sys.argv[1:])):
        for page in pages:
            met.clear()
            if run:
                app.query_params["run"] = app.query_params["model"] = run
            app.switch_page(page).run()
            found[f"{page} {run}".strip()] = [str(each.message) for each in app.exception] + met.copy()
    print(json.dumps(found))


if __name__ == "__main__":
    main()
