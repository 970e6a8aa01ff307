"""chrF and BLEU are sacrebleu's own on the written texts, and a right text is one that equals a reference."""

import json
from pathlib import Path
from typing import Any

import pytest
import sacrebleu

from core.data.tasks import Pair
from core.evaluation.exactness import describe_bleu, describe_exact
from core.evaluation.figures import Compared, bleu_tokenizer, figures_of, text_figures
from core.evaluation.held_out import HeldOut
from core.evaluation.pair_result import PairResult
from core.run import Run, load_run
from tests.core.evaluation.planted import planted
from tests.optional import unwrap

CHECKPOINTS = Path(__file__).parents[3] / "checkpoints"
CHINESE = ["我喜欢猫和狗", "今天天气很好", "他 用 IBM 的 电脑 工作", "我们明天去北京"]
WRITTEN_CHINESE = ["我喜欢猫和鸟", "今天天气不好", "他 用 IBM 的 电脑 工作", "我们明天去上海"]

LOSS = "capital letters, spaces beside marks and marks at the end"


@pytest.fixture(scope="module")
def run() -> Run:
    return load_run(CHECKPOINTS / "en-fr")


def test_unknown_reference_words_are_measured_as_written(run):
    pairs = [
        ("the small cat does not sleep", "le petit chat ne dort pas"),
        ("the dogs eat the bread", "les chiens mangent le xylophone"),
    ]
    found = run.evaluate(pairs)
    outputs, references = [each.output for each in found.results], [[target for _, target in pairs]]
    assert found.bleu == pytest.approx(100 * (10 / 11 * 8 / 9 * 6 / 7 * 4 / 5) ** 0.25)
    assert found.bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, references).score)
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, references).score)
    assert found.chrf == pytest.approx(81.08, abs=0.01)
    assert found.bleu_tokenizer == "13a"


def test_lost_capitals_count_in_every_figure(run):
    found = run.evaluate([("A dog sings.", "Un chien chante."), ("The cat sleeps.", "le chat dort")])
    assert (found.figures.exact_match, found.figures.string_match) == (1, 0.5)
    assert found.wrong == ()
    outputs = [each.output for each in found.results]
    references = [["Un chien chante.", "le chat dort"]]
    assert found.chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, references).score)
    assert found.chrf < 100
    said = describe_exact(run, found.figures.to_dict(), "held-out sources")
    assert said == (
        f"1 of 2 held-out sources exactly right as written (2 of 2 by token: the tokenizer loses {LOSS})"
    )


def test_equal_counts_are_one_figure(run):
    figures = run.evaluate([("a dog sings", "un chien chante")]).figures.to_dict()
    assert describe_exact(run, figures) == "1 of 1 exactly right, as written"


def test_older_figures_of_lossy_tokenizers_are_by_token(run):
    figures = {"n_pairs": 44, "exact_match": 1.0}
    assert describe_exact(run, figures) == "44 of 44 exactly right"
    own = Run(**{**vars(run), "task": "pairs"})
    assert describe_exact(own, figures) == f"44 of 44 right by token (the tokenizer loses {LOSS})"


@pytest.mark.parametrize(
    ("references", "name"),
    [
        (["the cat sleeps"], "13a"),
        (CHINESE, "zh"),
        (["我们 买 IBM 型号 3", "我们喜欢猫"], "zh"),
        (["猫が好きです", "犬と猫がいます"], "char"),
        (["น้ำดื่ม", "ผมชอบแมว"], "char"),
        (["ខ្ញុំ​ចូលចិត្ត​ឆ្មា"], "char"),
        (["나는 고양이를 좋아한다"], "13a"),
        (["लाल मकान बड़ा है"], "13a"),
        (["我喜欢猫", "the cat", "the dog"], "13a"),
        (["我喜欢猫和狗", "猫が好きです", "犬と猫がいます"], "char"),
    ],
)
def test_bleu_tokenizer_follows_the_script_of_most_references(references, name):
    assert bleu_tokenizer(references) == name


def test_chinese_texts_are_measured_by_characters():
    chrf, bleu = text_figures(WRITTEN_CHINESE, CHINESE)
    assert bleu == pytest.approx(75.65, abs=0.01)
    assert bleu == pytest.approx(sacrebleu.corpus_bleu(WRITTEN_CHINESE, [CHINESE], tokenize="zh").score)
    assert chrf == pytest.approx(sacrebleu.corpus_chrf(WRITTEN_CHINESE, [CHINESE]).score)
    assert describe_bleu(unwrap(bleu), bleu_tokenizer(CHINESE)) == "75.6 (sacrebleu zh)"


def test_japanese_texts_are_measured_by_characters():
    references, outputs = ["猫が好きです", "犬がいます"], ["猫が好きです", "犬もいます"]
    _, bleu = text_figures(outputs, references)
    assert bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, [references], tokenize="char").score)
    assert 0 < unwrap(bleu) < 100


def test_one_long_line_does_not_switch_bleu_on():
    references = ["le chat", "le chien", "le petit chat ne dort pas"]
    assert text_figures(references, references) == (100, None)


def test_all_references_of_a_source_are_used():
    outputs, references = ["the cat sits here", "a dog sleeps over there"], ["the cat is here", "a dog"]
    others = [("the cat sits here", "here sits the cat"), ()]
    chrf, bleu = text_figures(outputs, references, others)
    # sacrebleu takes None for a missing reference, which its types do not allow.
    streams: Any = [references, ["the cat sits here", None], ["here sits the cat", None]]
    assert chrf == pytest.approx(sacrebleu.corpus_chrf(outputs, streams).score)
    assert chrf > sacrebleu.corpus_chrf(outputs, [references]).score
    assert bleu == pytest.approx(sacrebleu.corpus_bleu(outputs, streams).score)


def test_any_reference_makes_an_output_exact(run):
    pair = Pair("a dog sings", "un chat chante", (), others=("un chien chante",))
    found = run.evaluate([pair, Pair("the dog sleeps", "le chat dort", (), others=("le chat mange",))])
    assert [each.exact for each in found.results] == [True, False]
    assert (found.figures.exact_match, found.figures.string_match) == (0.5, 0.5)
    # The loss stays that of the first target, which the model does not expect.
    first_alone = run.evaluate([("a dog sings", "un chat chante")])
    assert found.results[0].losses == pytest.approx(first_alone.results[0].losses, abs=1e-5)
    assert found.figures.token_accuracy == (4 + 3) / 8
    assert (
        HeldOut.from_dict(found.to_dict() | {"results": [_stored(each) for each in found.results]}) == found
    )


def _stored(result: PairResult) -> dict[str, object]:
    """Return a result as JSON gives it back: lists for tuples."""
    stored: dict[str, object] = json.loads(json.dumps(result.to_dict()))
    return stored


def test_text_spelled_with_other_tokens_is_right():
    result = planted("a", "▁zor ro", "▁z orro")
    spelled = PairResult(**{**vars(result), "reference": "zorro", "output": "zorro"})
    assert (spelled.exact, spelled.as_written, spelled.right) == (False, True, True)
    found = HeldOut("f", "test", 1, (spelled,))
    assert found.wrong == ()
    assert (found.figures.exact_match, found.figures.string_match) == (0, 1)
    assert (found.confusions(), found.first_wrong_places()) == ((), {})


def test_written_unknown_token_is_no_reference_word():
    result = PairResult(**{**vars(planted("a", "le < unk >", "le <unk>")), "reference": "le <unk>"})
    assert not result.as_written


def test_figures_need_all_texts():
    compared = [Compared(((1, 2),), (1, 2), (0.5, 0.5), True), Compared(((1,),), (1,), (0.5,))]
    assert figures_of(compared).string_match is None
    assert figures_of(compared[:1]).string_match == 1
