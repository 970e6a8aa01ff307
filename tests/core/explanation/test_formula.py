"""A formula gives the recorded number from the recorded operands, and with a fault in it, it does not."""

import math
import random
from collections import defaultdict
from collections.abc import Sequence

import pytest
import torch

from core.activations.trace import trace
from core.decoding.autoregressive import decode_steps, last_step
from core.explanation.derivation import Derivation
from core.explanation.evaluation import evaluate
from core.explanation.explain import explain
from core.explanation.formula import (
    Call,
    Cases,
    Compare,
    Expression,
    Named,
    Number,
    Root,
    Silent,
    Sum,
    exp,
    log,
)
from core.explanation.hypothesis import HYPOTHESIS_SITES
from core.explanation.letters import D, I, P, X, Y
from core.explanation.operand import Operand
from core.explanation.update import explain_update
from core.explanation.update_sites import OF_TOKENS, PARTS, SCALARS, update_values
from core.model.parameters import find_parameter
from core.run import load_run
from explorer.models.known import CHECKPOINTS
from tests.core.explanation.laws import holds, mutants, reread
from tests.core.explanation.test_explain import random_index, traced
from tests.core.training.updates import VARIANTS as TRAININGS
from tests.core.training.updates import captured_update
from tests.core.variants import VARIANTS

SHIPPED = sorted(path.parent.name for path in CHECKPOINTS.glob("*/run.json"))


def shipped(name):
    """A shipped run, and the trace of what it makes of a source."""
    run = load_run(CHECKPOINTS / name)
    generator = torch.Generator().manual_seed(1)
    ids = torch.randint(4, run.config.src_vocab_size, (6,), generator=generator)
    src = torch.cat((ids, torch.tensor([run.config.eos_id])))
    return run, trace(run.model, src, last_step(decode_steps(run.model, src[None])).hypotheses[0])


def explanations(run, recorded, rng, count=2):
    """Some numbers of every site, and of the whole hypothesis, by what they are an example of."""
    found: defaultdict[str, list[Derivation]] = defaultdict(list)
    for site in run.model.sites():
        for _ in range(count):
            index = random_index(rng, recorded.activations[site.name].shape)
            found[site.operation].append(explain(run, recorded, site.name, index))
    for site in sorted(HYPOTHESIS_SITES):
        index = {"hypothesis.prob": (1, 5), "hypothesis.token_loss": (1,)}.get(site, ())
        found[site].append(explain(run, recorded, site, index))
    return found


@pytest.mark.sweep
@pytest.mark.parametrize("name", [*SHIPPED, "pre", "none-gelu", "silu-no-bias", "bfloat16"])
def test_every_formula_gives_the_recorded_number_from_the_recorded_operands(name):
    run, recorded = shipped(name) if name in SHIPPED else traced(VARIANTS[name])

    def read(site, index):
        if site in recorded.activations:
            return float(recorded.activations[site][index])
        parameter = find_parameter(run.model, site)
        return explain(run, recorded, site, index).result if parameter is None else float(parameter[index])

    for found in explanations(run, recorded, random.Random(name), 1).values():
        for explanation in found:
            assert holds(explanation, reread(explanation, read)), (explanation.site, explanation.index)


@pytest.mark.proof
@pytest.mark.parametrize("variant", ["paper", "learned positions", "untied, no biases"])
def test_every_formula_of_an_update_gives_its_number_from_the_numbers_of_the_update(variant):
    update = captured_update(3, **TRAININGS[variant])

    def read(site, index):
        return float(update_values(update, site)[index])

    for operation, found in update_explanations(update, random.Random(variant)).items():
        for explanation in found:
            # The new weight adds the change of the formula: the difference of the weights is rounded as they are.
            bound = explanation.bound if operation == "weight" else reread(explanation, read)
            assert holds(explanation, bound), explanation.site


def update_explanations(update, rng):
    """Some numbers of every kind that an update has."""
    found: defaultdict[str, list[Derivation]] = defaultdict(list)
    sites = [(part, f"update.{part}") for part in (*SCALARS, *OF_TOKENS)]
    sites += [(part, f"update.{part}.{parameter}") for part in PARTS for parameter in update.parameters]
    for part, site in sites:
        shape = update_values(update, site).shape
        cells = {random_index(rng, shape) for _ in range(3)}
        # A token and a label that the batch has.
        cells |= {(0, 0, 4)[: len(shape)] if part in OF_TOKENS else (4, 0)[: len(shape)]}
        explained = [explain_update(update, site, index) for index in sorted(cells)]
        found[part] += [each for each in explained if each.formula]
    return found


def faults_unseen(found):
    """Faults planted in the formulas of some numbers, and how many were planted."""
    formulas = {each.formula.right: each for each in found}
    planted = [(right, fault) for right, each in formulas.items() for fault in mutants(right, each.bound)]
    unseen = [
        fault
        for right, fault in planted
        if all(holds(each, each.bound, fault) for each in found if each.formula.right == right)
    ]
    return unseen, len(planted)


@pytest.mark.proof
def test_a_fault_in_any_formula_is_seen_on_its_numbers():
    planted = 0
    for name in ("post", "none-gelu", "silu-no-bias", "learned"):
        run, recorded = traced(VARIANTS[name])
        examples = explanations(run, recorded, random.Random(name), 4)
        # No recording has padding, so nothing in it tells one rule of a mask from the other.
        del examples["mask"]
        for operation, found in examples.items():
            unseen, count = faults_unseen(found)
            assert not unseen, (operation, unseen[0])
            planted += count
    assert planted > 200


@pytest.mark.proof
def test_a_fault_in_any_formula_of_an_update_is_seen_on_its_numbers():
    planted = 0
    for schedule in ("linear", "paper", "inverse_sqrt"):
        update = captured_update(1, training={"schedule": schedule, "clip_norm": 0.01})
        for part, found in update_explanations(update, random.Random(schedule)).items():
            unseen, count = faults_unseen(found)
            assert not unseen, (part, unseen[0])
            planted += count
    assert planted > 60


@pytest.mark.parametrize(
    ("whole", "value"),
    [
        (X - Y * 2, -1.0),
        (-X / Y, -1.5),
        ((X + 1) ** 2, 16.0),
        (Root(X + Y - 1), 2.0),
        (log(exp(X)), 3.0),
        (exp(X * 1000), math.inf),
        (Call("max", (X, Y)), 3.0),
        (Call("min", (X, Y)), 2.0),
        (Call("Φ", (Number(0),)), 0.5),
        (Call("Φ", (Number(-1.959963984540054),)), 0.025),
        (Compare(X, "=", Y), 0.0),
        (Compare(X, "≠", Y), 1.0),
        (Compare(Y, "≤", Y), 1.0),
        (Compare(X, "≤", Y), 0.0),
        (Cases(X, Compare(X, "≤", Y), Number(-math.inf)), -math.inf),
        (Cases(X, Compare(Y, "≤", X), Number(-math.inf)), 3.0),
        (Sum(D, P[D] * Y), 12.0),
        (Sum(D, P[D]) / X - Silent(Y), 0.0),
        (Named(X**Y, "a word"), 9.0),
        ((X - X) / (Y - Y), 0.0),
        (1 - I, -6.0),
    ],
)
def test_an_expression_has_the_value_that_its_letters_give_it(whole, value):
    letters = {X: 3, Y: 2, I: 7}
    bound: dict[Expression, Operand | Sequence[Operand]] = {
        letter: Operand(letter, number) for letter, number in letters.items()
    }
    bound[P[D]] = [Operand(P[D], number) for number in (1, 2, 3)]
    assert evaluate(whole, bound) == pytest.approx(value)


def test_a_letter_of_which_nothing_is_known_has_no_value():
    with pytest.raises(KeyError, match="nothing is known"):
        evaluate(X + Y, {X: Operand(X, 1.0)})
