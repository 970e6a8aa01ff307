"""The peer for training and forward passes: torch's stacks with the same embeddings and output matrix as ours."""

from torch import Tensor, nn

from benchmarks.sizes import Size
from core.model.masks import causal_mask
from core.model.positional_encoding import sinusoidal_table


class TorchTransformer(nn.Module):
    """torch.nn.Transformer with tied embeddings scaled by √d_model, sinusoidal positions and a causal mask.

    A single dropout rate applies to the embedding sums and, inside torch's layers, to sub-layer outputs, attention
    weights and hidden units of the feed-forward network.
    """

    future: Tensor
    positions: Tensor

    def __init__(self, size: Size, dropout: float) -> None:
        super().__init__()
        self.scale = size.d_model**0.5
        self.embedding = nn.Embedding(size.vocab, size.d_model, padding_idx=0)
        nn.init.normal_(self.embedding.weight, std=1 / self.scale)
        self.dropout = nn.Dropout(dropout)
        self.stacks = nn.Transformer(
            size.d_model, size.n_heads, size.n_layers, size.n_layers, size.d_ff, dropout, batch_first=True
        )
        self.register_buffer("positions", sinusoidal_table(0, size.length, size.d_model).float())
        self.register_buffer("future", ~causal_mask(size.length))

    def embed(self, ids: Tensor) -> Tensor:
        """Embed ids [batch, position] as vectors [batch, position, d_model]."""
        embedded: Tensor = self.dropout(self.embedding(ids) * self.scale + self.positions[: ids.shape[1]])
        return embedded

    def forward(self, src: Tensor, tgt_in: Tensor) -> Tensor:
        """Compute logits [batch, target position, vocab] for ids without padding."""
        future = self.future[: tgt_in.shape[1], : tgt_in.shape[1]]
        hidden: Tensor = self.stacks(self.embed(src), self.embed(tgt_in), tgt_mask=future, tgt_is_causal=True)
        return hidden @ self.embedding.weight.T
