"""What is counted of results that were written by hand, and how they are kept with a run."""

import json
from dataclasses import replace
from typing import Any

import pytest

from core.data.vocabulary import EOS
from core.errors import RunError
from core.evaluation.held_out import Confusion, HeldOut, Share
from core.evaluation.mistakes import MISTAKES
from core.evaluation.store import HELD_OUT_FILE, read_held_out, write_held_out
from tests.core.evaluation.planted import planted

RIGHT = planted("a b", "b a", "b a", number=0, losses=(0.1, 0.2, 0.3))
SWAPPED = planted(
    "a b c", "c b a", "c a b", number=1, teacher_forced=f"c a a {EOS}", losses=(0.1, 2.0, 0.1, 0.2)
)
SHORT = planted("a c", "c a", "c", number=2, teacher_forced=f"c {EOS} {EOS}", losses=(0.0, 3.0, 0.0))
CUT = planted("b c", "c b", "", number=3, teacher_forced=f"b b {EOS}", finished=False)
ALL = HeldOut("f", "test", 4, (RIGHT, SWAPPED, SHORT, CUT))


def test_accuracy_is_counted_by_lengths_and_by_token():
    assert ALL.by_source_length() == (Share(2, 3, 1), Share(3, 1, 0))
    assert ALL.by_reference_length() == (Share(2, 3, 1), Share(3, 1, 0))
    assert ALL.by_source_length()[0].share == pytest.approx(1 / 3)
    # Under teacher forcing: b of SWAPPED is taken for a, a of SHORT for the end, c of CUT for b.
    assert ALL.by_token() == (Share(EOS, 4, 4), Share("a", 3, 2), Share("b", 3, 2), Share("c", 3, 2))


def test_confusions_are_counted_at_the_first_wrong_place_and_under_teacher_forcing():
    assert ALL.confusions() == (Confusion("a", EOS, 1), Confusion("b", "a", 1), Confusion("c", "", 1))
    twice = replace(ALL, results=(*ALL.results, replace(SWAPPED, number=4)))
    assert twice.confusions()[0] == Confusion("b", "a", 2)
    assert twice.teacher_forced_confusions() == (
        Confusion("b", "a", 2),
        Confusion("a", EOS, 1),
        Confusion("c", "b", 1),
    )


def test_first_wrong_places_and_the_worst():
    assert ALL.first_wrong_places() == {0: 1, 1: 2}
    assert ALL.wrong == (SWAPPED, SHORT, CUT)
    assert ALL.worst(2) == (SHORT, SWAPPED)
    assert (RIGHT.first_wrong, SHORT.first_wrong, CUT.first_wrong) == (None, 1, 0)
    assert (SHORT.loss, SHORT.log_prob) == (1.0, -0.5)


def test_figures_of_planted_results():
    figures = ALL.figures
    assert (figures.n_pairs, figures.exact_match) == (4, 0.25)
    # Of 13 reference tokens stand in place: 3, then c and the end, then c, then nothing.
    assert figures.token_accuracy == 6 / 13
    assert figures.loss == pytest.approx((0.6 + 2.4 + 3.0 + 1.5) / 13)


@pytest.mark.parametrize(
    ("key", "result", "is_one"),
    [
        ("repeats", planted("x", "i am sorry", "i am i am sorry"), True),
        ("repeats", planted("x", "very very good", "very very bad"), False),
        ("repeats", planted("x", "very very good", "very very very good"), True),
        ("repeats", planted("x", "a b c", "a b a"), False),
        ("repeats", planted("x", "a b c", "a b b b", finished=False), True),
        ("stops_early", SHORT, True),
        ("stops_early", SWAPPED, False),
        ("stops_early", CUT, False),
        ("goes_on", planted("a", "a", "a a"), True),
        ("goes_on", CUT, False),
        ("never_stops", CUT, True),
        ("never_stops", SHORT, False),
        ("invents", planted("a b", "b a", "b z"), True),
        ("invents", planted("a b", "b x", "b a"), False),
        ("invents", planted("the cat", "Le chat.", "le chat noir"), True),
        ("invents", planted("the cat", "Le chat dort.", "le chat"), False),
        ("loses", planted("Anna sees 42 cats", "Anna voit 42 chats", "anna voit chats"), True),
        ("loses", planted("Anna sees 42 cats", "Anna voit 42 chats", "anna aime 42 chats"), False),
        ("loses", planted("7 7", "7 7", "7 8"), True),
        ("invents", planted("She is a girl", "वह लड़की है", "वह लड़का है"), True),
        ("invents", planted("She is a girl", "वह लड़की है", "है वह लड़की"), False),
        ("invents", planted("He is fine", "他很好。", "他好"), False),
        ("invents", planted("He is fine", "他很好。", "他不好"), True),
        ("loses", planted("Anna's cat", "die Katze von Anna’s", "die Katze"), True),
        ("reorders", SWAPPED, True),
        ("reorders", SHORT, False),
        ("one_token_off", planted("x", "a b c", "a z c"), True),
        ("one_token_off", planted("x", "a b c", "a z z"), False),
        ("one_token_off", planted("x", "a b c", "a b"), False),
    ],
)
def test_kinds_of_mistakes(key, result, is_one):
    assert MISTAKES[key](result) is is_one


def test_where_no_text_has_a_space_tokens_count_as_words():
    one_word = planted("12", "21", "2x1")
    cut: dict[str, Any] = {
        "source_tokens": tuple("12"),
        "reference_tokens": (*"21", EOS),
        "output_tokens": (*"2x1", EOS),
    }
    assert MISTAKES["invents"](replace(one_word, **cut))
    assert not MISTAKES["invents"](replace(one_word, **cut | {"output_tokens": (*"211", EOS)}))
    assert MISTAKES["loses"](replace(one_word, **cut | {"output_tokens": (*"22", EOS)}))


def test_a_right_output_makes_no_mistake():
    right = planted("a a", "a a b", "a a b")
    assert not any(mistake(right) for mistake in MISTAKES.values())
    assert {key: len(found) for key, found in ALL.mistakes.items() if found} == {
        "stops_early": 1,
        "never_stops": 1,
        "reorders": 1,
        "loses": 2,
    }


def test_results_are_kept_with_the_run_until_it_changes(tmp_path):
    assert read_held_out(tmp_path, "f", "test") is None
    write_held_out(tmp_path, ALL)
    other = replace(ALL, split="validation", chrf=51.5, bleu=None, n_available=9)
    write_held_out(tmp_path, other)
    assert read_held_out(tmp_path, "f", "test") == ALL
    assert read_held_out(tmp_path, "f", "validation") == other
    assert read_held_out(tmp_path, "f", "unseen") is None
    # Another model lies in the folder now.
    assert read_held_out(tmp_path, "g", "test") is None
    write_held_out(tmp_path, replace(ALL, fingerprint="g"))
    assert read_held_out(tmp_path, "g", "test") is not None
    assert read_held_out(tmp_path, "f", "validation") is None


def _stored(**changes: object) -> dict[str, object]:
    return {**json.loads(json.dumps(ALL.to_dict())), **changes}


def _pair(**changes: object) -> dict[str, object]:
    return _stored(results=[{**json.loads(json.dumps(SHORT.to_dict())), **changes}])


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {},
        _stored(results=[]),
        _stored(results=[3]),
        _stored(results={}),
        _stored(n_available=1),
        _stored(n_available=True),
        _stored(fingerprint=4),
        _stored(split=None),
        _stored(chrf="100"),
        _stored(bleu=1e9),
        _pair(number=-1),
        _pair(number=None),
        _pair(source=3),
        _pair(output="a" * 200_000),
        _pair(source_tokens="abc"),
        _pair(source_tokens=[1]),
        _pair(losses=[0.1]),
        _pair(losses=[0.1, float("nan"), 0.1]),
        _pair(log_probs=[True, True]),
        _pair(reference_tokens=["c", "a", "b"]),
        _pair(output_tokens=[EOS, "c"]),
        _pair(strange=1),
    ],
)
def test_a_file_of_strangers_is_refused_with_one_sentence(values, tmp_path):
    with pytest.raises(RunError):
        HeldOut.from_dict(values)
    (tmp_path / HELD_OUT_FILE).write_text(json.dumps({"format": 1, "splits": {"test": values or []}}))
    with pytest.raises(RunError, match=rf"{HELD_OUT_FILE} cannot be used: .+; evaluate the run again$"):
        read_held_out(tmp_path, "f", "test")


@pytest.mark.parametrize(
    "content", ["", "[]", "{", '{"format": 2}', '{"format": 1, "splits": 3}', "[" * 100_000]
)
def test_a_damaged_file_is_refused_and_written_anew(content, tmp_path):
    (tmp_path / HELD_OUT_FILE).write_text(content)
    with pytest.raises(RunError, match="evaluate the run again"):
        read_held_out(tmp_path, "f", "test")
    write_held_out(tmp_path, ALL)
    assert read_held_out(tmp_path, "f", "test") == ALL


def test_a_file_may_have_only_so_many_bytes(tmp_path, monkeypatch):
    write_held_out(tmp_path, ALL)
    monkeypatch.setattr("core.evaluation.store.MAX_BYTES", 500)
    with pytest.raises(RunError, match="larger than"):
        read_held_out(tmp_path, "f", "test")
    with pytest.raises(RunError, match="evaluate fewer pairs"):
        write_held_out(tmp_path, ALL)
