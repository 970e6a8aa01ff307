"""The computations of the model as stages that the tensor view shows, one file for each kind of block."""
