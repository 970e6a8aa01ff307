"""The file of findings says what the shipped model does now, and it says what is said of it."""

from pathlib import Path

import pytest

from core import load_run, read_link
from core.errors import RunError
from core.interventions.findings import SHIPPED_RUN, findings, read_findings
from core.interventions.intervention import Patch

ROOT = Path(__file__).parents[3]


def assert_same(found, stored, where=""):
    """Equal, but for the last digits that another processor rounds otherwise."""
    assert type(found) is type(stored), where
    if isinstance(found, dict):
        assert found.keys() == stored.keys(), where
        for name in found:
            assert_same(found[name], stored[name], f"{where}.{name}")
    elif isinstance(found, list):
        assert len(found) == len(stored), where
        for place, (one, other) in enumerate(zip(found, stored, strict=True)):
            assert_same(one, other, f"{where}[{place}]")
    elif isinstance(found, float):
        assert found == pytest.approx(stored, abs=2e-4), where
    else:
        assert found == stored, where


@pytest.mark.proof
def test_the_file_says_what_the_shipped_model_does_now():
    assert_same(findings(load_run(ROOT / SHIPPED_RUN)), read_findings())


def test_the_number_of_the_verb_is_carried_by_one_word_and_not_by_the_noun():
    stored = read_findings()
    tokens = stored["direct"]["source_tokens"]
    shares = dict(zip(tokens, stored["shares"]["src_embed.output"], strict=True))
    others = [share for token, share in shares.items() if token != stored["carrier"]]
    assert shares[stored["carrier"]] > 10 * max(map(abs, others))
    own, donor = stored["tokens"]
    for link, text in stored["writes"].items():
        (change,) = read_link(link)
        if isinstance(change, Patch):
            carried = tokens[change.positions[0]] == stored["carrier"]
            assert (donor if carried else own) in text.split(), link


def test_last_cross_attention_picks_it_up_and_no_head_alone_does():
    stored, run = read_findings(), load_run(ROOT / SHIPPED_RUN)
    place = next(site for site in run.model.sites() if site.name == stored["picked_up_by"]).location
    assert place.sublayer == "cross_attn"
    path = place.sublayer_path
    without = stored["writes"][f"off:{path}.output"]
    assert stored["tokens"][0] not in without.split()
    single = [text for link, text in stored["writes"].items() if link.startswith(f"off:{path}.context")]
    assert len(single) == run.config.n_heads
    assert all(stored["tokens"][0] in text.split() for text in single), "each head can be spared for the verb"


def test_a_damaged_file_is_refused_with_the_command_that_makes_it(tmp_path):
    damaged = tmp_path / "findings.json"
    damaged.write_text("{")
    with pytest.raises(RunError, match=r"run python -m core\.interventions\.findings"):
        read_findings(damaged)
