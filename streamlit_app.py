"""Entry point of the app: `streamlit run` imports it as the server, and runs it again for every page."""

import os
from contextlib import suppress
from pathlib import Path

# Must be set before anything imports torch. On a busy machine a second OpenMP thread costs ten times what it saves.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

if __name__ == Path(__file__).stem:
    # `streamlit run` serves the app that it finds under this name.
    import streamlit as st

    from core.errors import ExplorerError
    from explorer.browser.assets import bundle_routes
    from explorer.server.libraries import import_everything
    from explorer.server.parts import server_parts
    from explorer.server.query import query_route

    def begin() -> None:
        """Import everything that pages use, and start the engine, which resumes the queue."""
        import_everything()
        from explorer.models import gauges, server

        gauges.register_gauges()
        with suppress(ExplorerError):  # Every page tells of it.
            server.training_engine()

    def answer(body: bytes) -> bytes:
        """Answer a page's request; the server has imported what that takes when it lets the first one in."""
        from explorer.app import REGISTRY
        from explorer.shell.page_run import SCREENS
        from explorer.shell.screen import answer_body

        return answer_body(SCREENS, REGISTRY, body)

    app = st.App(__file__, routes=[*bundle_routes(), query_route(answer)], **server_parts(begin))
else:
    from explorer.app import REGISTRY
    from explorer.shell.page_run import draw_run

    draw_run(REGISTRY)
