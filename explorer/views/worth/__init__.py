"""What parts are worth: every head, and every neuron of a layer, switched off over the held-out pairs."""

from explorer.view import View, never

VIEW = View(
    key="parts",
    title="What parts are worth",
    place="Change",
    line="what each head and block is worth",
    lead="Each part is switched off in turn: what the answers lose, where heads look.",
    page="pages/generation/parts.py",
    parts={"view": "worth_place"},
    explains=False,
    prints=never,
)
