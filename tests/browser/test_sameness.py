from tests.browser.sameness import compare_messages, find_differences


def test_every_difference_of_two_messages_is_named_with_its_place():
    before = {"tokens": ["a", "b"], "arrays": [["values", [2, 3]]], "numbers": "0f"}
    after = {"tokens": ["a", "c"], "arrays": [["values", [2, 3]]], "numbers": "1e", "step": 0}
    assert find_differences(before, before) == []
    assert find_differences(before, after) == [
        'numbers: "0f" became "1e"',
        "step: null became 0",
        'tokens[1]: "b" became "c"',
    ]


def test_state_of_one_record_alone_is_a_difference(tmp_path):
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    (before / "output-0.json").write_text('{"output": {"step": 3}}', encoding="utf-8")
    assert compare_messages(before, after) == ['output-0.json: : {"output": {"step": 3}} became null']
