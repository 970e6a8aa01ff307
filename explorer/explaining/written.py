"""The token that a step wrote: its probability, and what it is called."""

from __future__ import annotations

import math

from explorer.explaining.scene import Scene


def which_token(scene: Scene) -> str:
    """What the written token is called: of those in the prefix some are what the model would have taken anyway."""
    recorded, step = scene.recorded, scene.step
    if step >= len(scene.state.decoding.prefix):
        return "that token"
    log_probs = recorded.values("generator.log_probs")[step].copy()
    log_probs[[recorded.run.config.pad_id, recorded.run.config.bos_id]] = -math.inf
    return "that token" if log_probs.argmax() == recorded.trace.tgt_out[step] else "this forced token"


def written_token(scene: Scene) -> tuple[int, float]:
    """Id and probability of the token of the step."""
    token_id = int(scene.recorded.trace.tgt_out[scene.step])
    log_prob = scene.recorded.values("generator.log_probs")[scene.step, token_id]
    return token_id, math.exp(float(log_prob))
