"""What the living map is fed of a recorded run: vectors of all lanes as bytes, weights and logits as they are."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np
import torch

from core.activations.location import Location, locate
from core.activations.sites import Site
from core.model.parameters import named_parameters, parameters_by_block
from explorer.models.recorded import Recorded, as_trained
from explorer.models.shared_cache import SharedCache
from explorer.models.translation import Translation
from explorer.views.living_map.block_texts import block_note, block_text, block_title
from explorer.views.living_map.component.data import (
    Block,
    Candidates,
    Embedding,
    Lanes,
    LivingMapData,
    Sublayer,
    Tensor,
)
from explorer.visitor.state import Compared

MAX_COLUMNS = 16
"""Numbers of a head that a tile shows."""
MOST_LOGITS, N_EXTREMES = 2_000, 1_000
"""Logits of a step up to which all are drawn, and how many are of a larger vocabulary."""
_BLOCKS: SharedCache[tuple[Block, ...]] = SharedCache(
    "living map: blocks", 8 * 2**20, lambda blocks: 4096 * len(blocks)
)
TOP, MIDDLE, NOT_A_NUMBER = 254, 127, 255
"""Codes of a tile: MIDDLE is 0, TOP the end of the scale, 0 the same below zero."""


def living_map_data(
    recorded: Recorded, translation: Translation, greedy: Translation, *, compared: Compared = "changed"
) -> LivingMapData:
    """The living map of a recorded run, whatever a visitor has chosen.

    Args:
        recorded: The run.
        translation: What the model wrote in it, with the candidates of each step.
        greedy: What it writes when nothing is forced.
        compared: Whose tiles, weights and logits are drawn, where the run has changes.
    """
    config = recorded.run.config
    trained = as_trained(recorded) if recorded.run.changes.interventions else None
    if trained is None:
        compared = "changed"
    encoder, decoder = (_lanes(recorded.run.model.sites(), stack) for stack in ("encoder", "decoder"))
    drawn = partial(_drawn, recorded, trained, compared)
    tiles = {site: _tile(recorded, drawn(site)) for site in _tile_sites(encoder, decoder)}
    codes, limit = _coded_tiles({site: values for site, (values, _) in tiles.items()})
    weights = {site: drawn(site) for site in _weight_sites(encoder, decoder)}
    vocabulary, logits = recorded.run.tgt_tokenizer.vocabulary, drawn("generator.logits")
    candidates = tuple(map(tuple, translation.candidate_ids.tolist()))
    data = LivingMapData(
        key=f"living/{recorded.key}/{compared}",
        source=recorded.source,
        inputs=recorded.inputs,
        outputs=recorded.outputs,
        output_ids=translation.output_ids,
        forced=translation.forced,
        greedy=greedy.output_tokens,
        ended=translation.ended,
        encoder=encoder,
        decoder=decoder,
        n_heads=config.n_heads,
        d_model=config.d_model,
        d_ff=config.d_ff,
        causal=config.causal,
        n_vocabulary=len(vocabulary.tokens),
        first_id=vocabulary.eos_id,
        blocks=_blocks_of(recorded),
        candidates=Candidates(
            ids=candidates,
            tokens=tuple(tuple(vocabulary.tokens[each] for each in ids) for ids in candidates),
            probs=translation.candidate_probs,
            chosen=translation.chosen,
        ),
        log_probs=translation.log_probs,
        limit=limit,
        codes=codes,
        every=tiles[encoder.embedding.output][1],
        weights=weights,
        logits=_skyline(logits),
        written_logits=logits[np.arange(len(logits)), recorded.trace.tgt_out.numpy()],
        compared=compared,
        weight_limit=_weight_limit(weights) if compared == "difference" else 1.0,
        source_unit=recorded.run.source_unit,
        text=recorded.run.tgt_tokenizer.decode(translation.output_ids),
    )
    return data if trained is None else _beside(data, trained)


def _drawn(recorded: Recorded, trained: Recorded | None, compared: Compared, site: str) -> np.ndarray:
    """A site of the run, of the model as it was trained, or the first less the second, float32 [its axes]."""
    if trained is None or compared == "changed":
        return recorded.values(site)
    return trained.values(site) if compared == "trained" else recorded.values(site) - trained.values(site)


def _beside(data: LivingMapData, trained: Recorded) -> LivingMapData:
    """The map of a changed run with what the model as it was trained makes of the same tokens.

    That is the candidates’ probabilities, and which token is then most probable.
    """
    run, logits = trained.run, trained.trace.logits.double().cpu()
    probs = logits.softmax(dim=-1)
    beside = np.take_along_axis(probs.numpy(), np.asarray(data.candidates.ids), axis=1)
    never_written = [run.config.pad_id, run.config.bos_id]
    best = logits.index_fill(1, torch.tensor(never_written), -torch.inf).argmax(dim=-1)
    return replace(
        data,
        candidates=replace(data.candidates, trained=beside.astype(np.float32)),
        trained=tuple(map(run.tgt_tokenizer.vocabulary.token, best.tolist())),
        trained_log_probs=probs.gather(1, best[:, None])[:, 0].log().float().numpy(),
    )


@lru_cache(maxsize=64)
def _lanes(catalogue: tuple[Site, ...], stack: str) -> Lanes:
    """The sub-layers of a stack in the order of the computation, with what each lane holds behind them."""
    sites = {site.name: site for site in catalogue}
    own = [site for site in sites.values() if locate(site.name).stack == stack]
    embedding = next(site for site in own if locate(site.name).kind == "embedding")
    module = locate(embedding.name).module
    positions = module.beside("positions")
    sublayers = tuple(_sublayers(own))
    return Lanes(
        Embedding(
            module.path,
            module.beside("tokens"),
            positions if positions in sites else "",
            module.beside("output"),
        ),
        sublayers,
    )


def _sublayers(own: Sequence[Site]) -> Iterator[Sublayer]:
    """A stack's sub-layers: an attention or a feed-forward each, with the sum or norm that its lane goes on with."""
    modules = dict.fromkeys(locate(site.name).module for site in own)
    joined = {where.sublayer_path: where for where in modules if where.joins}
    before = {where.sublayer_path: where.path for where in modules if where.kind == "norm"}
    for where in modules:
        if where.kind not in ("attention", "feed_forward"):
            continue
        yield Sublayer(
            id=where.path,
            kind="attention" if where.kind == "attention" else "feed-forward",
            title=where.title,
            layer=where.layer or 0,
            crosses=where.crosses,
            joins=joined[where.path].path,
            norm=before.get(where.path, ""),
        )


def _tile_sites(*stacks: Lanes) -> Iterator[str]:
    for lanes in stacks:
        yield from filter(None, (lanes.embedding.tokens, lanes.embedding.positions, lanes.embedding.output))
        for each in lanes.sublayers:
            yield from each.tiles


def _weight_sites(*stacks: Lanes) -> Iterator[str]:
    for lanes in stacks:
        yield from (f"{each.id}.weights" for each in lanes.sublayers if each.kind == "attention")


def _tile(recorded: Recorded, values: np.ndarray) -> tuple[np.ndarray, int]:
    """A site's rows [position, head, number], as many numbers as a tile has room for, and how far apart they stand.

    A vector of d_model numbers is laid out as its heads; hidden units in as many rows, if they divide so.
    """
    n_heads = recorded.run.config.n_heads
    if values.ndim == 3:
        rows = values.swapaxes(0, 1)
    else:
        height = n_heads if values.shape[1] % n_heads == 0 else 1
        rows = values.reshape(len(values), height, -1)
    # As wide as the hidden layer is, its tile is as many times wider.
    room = (
        MAX_COLUMNS * max(1, values.shape[-1] // recorded.run.config.d_model)
        if values.ndim == 2
        else MAX_COLUMNS
    )
    every = math.ceil(rows.shape[2] / room)
    return rows[:, :, ::every], every


def _coded_tiles(tiles: Mapping[str, np.ndarray]) -> tuple[dict[str, np.ndarray], float]:
    """The codes of the tiles, by their sites, and the end of the scale of all of them."""
    # All at once: most tiles are so small that a call for each would cost more than its numbers.
    values = np.concatenate([each.ravel() for each in tiles.values()])
    limit = _limit(values)
    codes = np.split(_coded(values, limit), np.cumsum([each.size for each in tiles.values()])[:-1])
    return {
        site: each.reshape(tile.shape) for (site, tile), each in zip(tiles.items(), codes, strict=True)
    }, limit


def _skyline(logits: np.ndarray) -> np.ndarray:
    """What is drawn of logits [T, V]: all, in their order, or of many the largest and smallest, the largest first."""
    if logits.shape[1] <= MOST_LOGITS:
        return logits
    falling = -np.sort(-logits, axis=1)
    return np.concatenate([falling[:, : N_EXTREMES // 2], falling[:, -N_EXTREMES // 2 :]], axis=1)


def _limit(values: np.ndarray) -> float:
    """A round number that all but 2 % of the shown values stay below: the end of the scale of all tiles."""
    sizes = np.abs(values)
    sizes = sizes[np.isfinite(sizes)]
    # Of a difference nearly all may be 0.
    size = float(np.quantile(sizes, 0.98) or sizes.max()) if sizes.size else 0.0
    if size == 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(size))
    return float(next(step * power for step in (1, 2, 3, 4, 5, 10) if step * power >= size))


def _weight_limit(differences: Mapping[str, np.ndarray]) -> float:
    """A tenth that no difference of weights exceeds: the end of the scale of all of them, at most 1."""
    largest = max((float(np.nanmax(np.abs(each), initial=0.0)) for each in differences.values()), default=0.0)
    return min(1.0, max(1, math.ceil(largest * 10)) / 10)


def _coded(values: np.ndarray, limit: float) -> np.ndarray:
    """Values as one byte each: uint8 of their own shape."""
    # Most values have no NaN, and looking for one costs less than replacing it.
    is_nan = np.isnan(values)
    known = np.nan_to_num(values) if is_nan.any() else values
    place = np.clip(known.astype(np.float64) / limit, -1, 1)
    codes = np.rint(MIDDLE + place * MIDDLE).astype(np.uint8)
    return np.where(is_nan, np.uint8(NOT_A_NUMBER), codes)


def _blocks_of(recorded: Recorded) -> tuple[Block, ...]:
    """All blocks; they depend on the configuration of the model and on the numbers of tokens alone."""
    key = (recorded.run.config, len(recorded.source), len(recorded.inputs))
    return _BLOCKS.get(key, lambda: tuple(_blocks(recorded)))


def _blocks(recorded: Recorded) -> Iterator[Block]:
    """Every module that a visitor can ask about, with its recorded values and its parameters."""
    config = recorded.run.config
    sites = recorded.run.model.sites()
    parameters, counts = named_parameters(recorded.run.model), parameters_by_block(recorded.run.model)
    modules, last = _modules((*(site.name for site in sites), *parameters))
    recorded_in, learned_in = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for site in sites:
        recorded_in[_owner(locate(site.name), last)].append(site.name)
    for name in parameters:
        learned_in[locate(name).path].append(name)
    for path, where in modules.items():
        yield Block(
            id=path,
            title=block_title(where),
            note=block_note(where, config),
            text=block_text(where, config),
            n_parameters=counts.get(path, 0),
            tensors=(
                *(
                    Tensor(name, tuple(recorded.trace.activations[name].shape[1:]))
                    for name in recorded_in[path]
                ),
                *(Tensor(name, tuple(parameters[name].shape), learned=True) for name in learned_in[path]),
            ),
        )


def _modules(names: Sequence[str]) -> tuple[dict[str, Location], dict[str, str]]:
    """The modules that these values belong to, by their paths, and the last of each stack."""
    modules: dict[str, Location] = {}
    last: dict[str, str] = {}
    for name in names:
        module = locate(name).module
        if not module.path or module.kind == "stack":
            continue
        modules.setdefault(module.path, module)
        if module.kind not in ("embedding", "generator") and module.stack:
            last[module.stack] = module.path
    return modules, last


def _owner(where: Location, last: Mapping[str, str]) -> str:
    """Path of the module that a value is told of; what a whole stack hands on is its last one's."""
    return last[where.stack] if where.kind == "stack" else where.path
