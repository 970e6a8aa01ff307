"""The learned numbers by the names that the formulas use: W_Q, W_K and W_V apart, shared matrices by each name."""

from torch import Tensor
from torch.nn import Module

from core.model.attention import MultiHeadAttention
from core.model.transformer import Transformer

_PACKED = ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")


def find_parameter(model: Transformer, name: str) -> Tensor | None:
    """A parameter by its module path, or None where the model has no such parameter.

    ``encoder.layers.0.self_attn.w_q`` is [d_model, d_model] with one row per output, ``….b_q`` its bias; the
    packed ``….in_proj`` itself has no name here.
    """
    path, _, leaf = name.rpartition(".")
    try:
        module = model.get_submodule(path)
    except AttributeError:
        return None
    return _of_module(module, path, leaf)


def named_parameters(model: Transformer) -> dict[str, Tensor]:
    """Every parameter by the name that `find_parameter` knows it by."""
    found: dict[str, Tensor] = {}
    for path, module in model.named_modules():
        leaves = _PACKED if isinstance(module, MultiHeadAttention) else tuple(module._parameters)
        for leaf in leaves:
            if (parameter := _of_module(module, path, leaf)) is not None:
                found[f"{path}.{leaf}"] = parameter
    return found


def _of_module(module: Module, path: str, leaf: str) -> Tensor | None:
    if isinstance(module, MultiHeadAttention) and leaf in _PACKED:
        linear = module.in_proj
        packed = linear.weight if leaf[0] == "w" else linear.bias
        return None if packed is None else packed.detach().chunk(3)["qkv".index(leaf[2])]
    parameter = None if path.endswith(".in_proj") else module._parameters.get(leaf)
    return None if parameter is None else parameter.detach()
