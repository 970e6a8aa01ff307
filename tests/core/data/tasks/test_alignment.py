"""Laws of the alignment by roles."""

from core.data.tasks.alignment import Word, align


def test_alignment_is_by_shared_roles_and_sorted():
    english = [Word("a", ("x",)), Word("b", ("y",)), Word("c", ("z",))]
    french = [Word("B", ("y",)), Word("CA", ("z", "x", "absent")), Word("A", ("x",))]
    assert align(english, french) == ((1,), (0, 2), (0,))


def test_a_role_that_several_source_tokens_share_names_them_all():
    source = [Word("a", ("x", "y")), Word("b", ()), Word("c", ("y",)), Word("d", ("x", "y"))]
    target = [Word("Y", ("y",)), Word("XY", ("y", "x")), Word("none", ("absent",))]
    assert align(source, target) == ((0, 2, 3), (0, 2, 3), ())
