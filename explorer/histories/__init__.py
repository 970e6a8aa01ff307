"""What a training has left behind: its figures, norms, pictures and words."""
