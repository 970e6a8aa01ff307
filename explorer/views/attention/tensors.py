"""The tensors of an attention block: recorded values and learned matrices, as far as one message holds them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from explorer.models.recorded import Recorded
from explorer.models.window import windowed
from explorer.tensors import Axis, TensorData
from explorer.visitor.extent import PATHS, AttentionKind, Extent, input_site


def attention_tensors(recorded: Recorded, kind: AttentionKind, extent: Extent) -> dict[str, TensorData]:
    """Every tensor of the view, by its name there.

    ``x`` is what queries are computed from, and ``memory`` what keys and values are, where that is another stream;
    ``joined`` are the contexts of all heads where ``context`` is that of one head alone.

    Args:
        recorded: The run.
        kind: Which attention.
        extent: How much of it.
    """
    return dict(_Tensors(recorded, kind, extent).all())


@dataclass(frozen=True)
class _Tensors:
    recorded: Recorded
    kind: AttentionKind
    extent: Extent

    def all(self) -> Iterator[tuple[str, TensorData]]:
        """Every tensor of the view, by its name there."""
        config = self.recorded.run.config
        yield "x", self._input("q")
        if self.kind == "cross-attention":
            yield "memory", self._input("k")
        for letter in "qkv":
            yield f"w_{letter}", self._projection(letter)
            if config.attention_bias:
                yield f"b_{letter}", self._projection_bias(letter)
            yield letter, self._of_head(self._site(letter))
        for name in ("products", "scores", "masked_scores", "weights", "context"):
            yield name, self._of_head(self._site(name))
        yield "mask", replace(self._site("mask"), dtype="bool")
        if not self.extent.all_heads:
            yield "joined", self._site("context")
        yield "w_o", self._of_outputs(self._output_matrix())
        if config.attention_bias:
            bias = Axis("d_model", config.d_model)
            yield "b_o", self._of_outputs(self._parameter("out_proj.bias", bias))
        yield "output", self._of_outputs(self._site("output"))

    def _input(self, letter: str) -> TensorData:
        """What the letter is computed from."""
        path = PATHS[self.kind]
        layers = range(self.recorded.n_layers(path)) if self.extent.all_layers else (self.extent.layer,)
        sites = [input_site(self.recorded, path, letter, layer) for layer in layers]
        # Every layer reads one memory. Of the stream layer 0 reads the embedding, and the others the layer before.
        same = len(set(sites)) == 1
        return self.recorded.tensor(sites[0]) if same else self.recorded.stack(sites)

    def _projection(self, letter: str) -> TensorData:
        config = self.recorded.run.config
        axes = (Axis("head", config.n_heads), Axis("d_head", config.d_head), Axis("d_model", config.d_model))
        weight = self._parameter(f"w_{letter}", *axes)
        return self._of_head(replace(weight, index=(("head", "d_head"), ("d_model",))))

    def _projection_bias(self, letter: str) -> TensorData:
        config = self.recorded.run.config
        bias = self._parameter(f"b_{letter}", Axis("head", config.n_heads), Axis("d_head", config.d_head))
        return self._of_head(replace(bias, index=(("head", "d_head"),)))

    def _output_matrix(self) -> TensorData:
        config = self.recorded.run.config
        axes = (Axis("d_model", config.d_model), Axis("head", config.n_heads), Axis("d_head", config.d_head))
        return replace(self._parameter("out_proj.weight", *axes), index=(("d_model",), ("head", "d_head")))

    def _site(self, name: str) -> TensorData:
        return self.recorded.tensor(self._named(name))

    def _parameter(self, name: str, *axes: Axis) -> TensorData:
        return self.recorded.parameter(self._named(name), *axes)

    def _named(self, name: str) -> str:
        """The name of a site or parameter, with ``{layer}`` where all layers are sent."""
        pattern = f"{PATHS[self.kind]}.{name}"
        return pattern if self.extent.all_layers else pattern.format(layer=self.extent.layer)

    def _of_head(self, tensor: TensorData) -> TensorData:
        if self.extent.all_heads:
            return tensor
        n_heads = self.recorded.run.config.n_heads
        return windowed(
            tensor,
            "head",
            range(self.extent.head, self.extent.head + 1),
            f"One of {n_heads} heads at a time.",
        )

    def _of_outputs(self, tensor: TensorData) -> TensorData:
        places, width = self.extent.outputs, self.recorded.run.config.d_model
        if len(places) == width:
            return tensor
        sentence = f"Numbers {places.start} to {places.stop - 1} of the {width} of each output vector."
        return windowed(tensor, "d_model", places, sentence)
