"""What is found out about a model as a whole, once for all visitors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import streamlit as st
import torch

from core.analysis import residual_stream
from core.analysis.embedding_geometry import PrincipalAxes, principal_axes
from core.analysis.initial_logits import InitialLogits, initial_logit_variance
from core.analysis.position_geometry import order_difference
from core.config import NormPosition, Positional, TransformerConfig
from core.experiments.measurements import measure
from core.model.transformer import Transformer
from core.run import Run
from core.run_description import MODEL_FILE, RUN_FILE, RunDescription
from explorer.models.known import known_run, run_folder
from explorer.models.listing import Version, version_of
from explorer.models.tokenizations import LearnedTokenizers, learn_tokenizers


def learned_tokenizers(name: str) -> LearnedTokenizers:
    """The tokenizers that a run's task teaches within a second, for comparison with the run's own."""
    return _learned_tokenizers(name, _described(name), known_run(name))


@st.cache_resource(show_spinner=False, max_entries=8)
def _learned_tokenizers(name: str, version: Version, _run: RunDescription) -> LearnedTokenizers:
    return learn_tokenizers(_run)


def _described(name: str) -> Version:
    """The version of a run's description, for what is known without its weights."""
    return version_of(run_folder(name), RUN_FILE)


def table_axes(run: Run, parameter: str, n_axes: int) -> PrincipalAxes:
    """Principal axes of one of a run's embedding tables, without padding's row, which no text uses.

    Raises:
        ExplorerError: when the table has not so many axes.
    """
    return _table_axes(run.fingerprint, parameter, n_axes, run)


@st.cache_resource(show_spinner=False, max_entries=16)
def _table_axes(fingerprint: str, parameter: str, n_axes: int, _run: Run) -> PrincipalAxes:
    table = _run.model.get_parameter(parameter)
    return principal_axes(table[torch.arange(len(table)) != _run.config.pad_id], n_axes)


def initial_logits(run: RunDescription) -> InitialLogits:
    """How the logits of a run's model vary before any training, measured once."""
    return _initial_logits(run.config, run.train_config.seed)


@st.cache_resource(show_spinner=False, max_entries=8)
def _initial_logits(config: TransformerConfig, seed: int) -> InitialLogits:
    return initial_logit_variance(config, seed=seed)


@st.cache_resource(show_spinner=False, max_entries=8)
def untrained_pair(config: TransformerConfig, seed: int) -> Mapping[NormPosition, Transformer]:
    """Two untrained models of a configuration, one for each place of the norm; nobody may change them."""
    return residual_stream.untrained_pair(config, seed)


def order_difference_of(run: RunDescription, positional: Positional) -> float:
    """What the order of tokens means to a run's encoder before any training, with these positions."""
    return _order_difference(replace(run.config, positional=positional), run.train_config.seed)


@st.cache_resource(show_spinner=False, max_entries=24)
def _order_difference(config: TransformerConfig, seed: int) -> float:
    return order_difference(config, seed=seed)


def figures_of_arm(name: str, figures: tuple[str, ...]) -> dict[str, float]:
    """What an experiment measures of a finished run, measured once for all visitors.

    Raises:
        RunError: when there is no such run, it has not finished, or its files are damaged.
    """
    folder = run_folder(name)
    return dict(_figures_of_arm(folder, figures, version_of(folder, RUN_FILE, MODEL_FILE)))


@st.cache_resource(show_spinner=False, max_entries=64)
def _figures_of_arm(folder: Path, figures: tuple[str, ...], version: Version) -> dict[str, float]:
    return measure(folder, figures)
