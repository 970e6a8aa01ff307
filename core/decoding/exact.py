"""The number format in which probabilities are summed and compared."""

from torch import Tensor


def exact(values: Tensor) -> Tensor:
    """The same values in float64, since sums of many are compared; on the CPU where the device lacks float64."""
    return (values.cpu() if values.device.type == "mps" else values).double()
