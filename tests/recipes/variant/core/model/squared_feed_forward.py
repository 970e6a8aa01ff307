"""A feed-forward network whose hidden units are squared after the non-linearity."""

from torch import Tensor

from core.activations.tap import Tap
from core.config import TransformerConfig
from core.model.feed_forward import FeedForward


def feed_forward(config: TransformerConfig) -> FeedForward:
    """The network of a configuration: the paper's, or the squared one."""
    return SquaredFeedForward(config) if config.square_hidden else FeedForward(config)


class SquaredFeedForward(FeedForward):
    """FFN(x) = activation(x W₁ + b₁)²·W₂ + b₂."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.bent = Tap("batch", "position", "d_ff")

    def forward(self, x: Tensor) -> Tensor:
        """From [batch, position, d_model] to the same shape."""
        bent = self.bent(self.activation(self.pre_activation(self.linear1(x))))
        return self.output(self.linear2(self.dropout(self.hidden(bent * bent))))
