"""Each rule of the French side, by sentences translated by hand."""

import pytest

from core.data.tasks.en_fr import EnglishToFrench
from core.data.tasks.en_fr.french import starts_with_vowel

TASK = EnglishToFrench()
BY_RULE: dict[str, list[tuple[str, str | None]]] = {
    "negation": [
        ("the small cat does not sleep", "le petit chat ne dort pas"),
        ("the small cats do not sleep", "les petits chats ne dorment pas"),
        ("the woman does not love the man", "la femme n'aime pas l'homme"),
        ("the women do not wait for the men", "les femmes n'attendent pas les hommes"),
        ("the house is not old", "la maison n'est pas vieille"),
        ("the houses are not old", "les maisons ne sont pas vieilles"),
        ("the cat never sleeps", "le chat ne dort jamais"),
        ("the boys never listen to the bird", "les garçons n'écoutent jamais l'oiseau"),
        ("the dog is never here", "le chien n'est jamais ici"),
    ],
    "elision": [
        ("the man loves the small bird", "l'homme aime le petit oiseau"),
        ("the small man loves the bird", "le petit homme aime l'oiseau"),
        ("the picture is beautiful", "l'image est belle"),
        ("the strange picture is old", "l'image étrange est vieille"),
        ("the owl sleeps", "le hibou dort"),
        ("the owls sleep", "les hiboux dorment"),
        ("the trees are green", "les arbres sont verts"),
        ("the cat does not see any owls", "le chat ne voit pas de hiboux"),
        ("the cat does not see any birds", "le chat ne voit pas d'oiseaux"),
    ],
    "forms before a vowel": [
        ("this man sees this child", "cet homme voit cet enfant"),
        ("this small child sees this owl", "ce petit enfant voit ce hibou"),
        ("this school is in this house", "cette école est dans cette maison"),
        ("a beautiful bird sees an old tree", "un bel oiseau voit un vieil arbre"),
        ("a beautiful horse sees an old owl", "un beau cheval voit un vieux hibou"),
        ("the new hospital is behind the new school", "le nouvel hôpital est derrière la nouvelle école"),
        ("the beautiful small bird sings", "le beau petit oiseau chante"),
        ("the old tree falls", "le vieil arbre tombe"),
        ("the old trees fall", "les vieux arbres tombent"),
        ("the tree is old now", "l'arbre est vieux maintenant"),
        ("the man is beautiful today", "l'homme est beau aujourd'hui"),
    ],
    "possessives": [
        ("my school is your house", None),
        ("my school is beautiful", "mon école est belle"),
        ("my old school is beautiful", "ma vieille école est belle"),
        ("your picture is here", "ton image est ici"),
        ("her bee sees his mouse", "son abeille voit sa souris"),
        ("his song is sad", "sa chanson est triste"),
        ("her horse is my horse", None),
        ("our cat sees their cats", "notre chat voit leurs chats"),
        ("their cat sees our cats", "leur chat voit nos chats"),
        ("my cats see your dogs", "mes chats voient tes chiens"),
        ("his dogs see her cake", "ses chiens voient son gâteau"),
    ],
    "agreement": [
        ("a happy woman sees two white mice", "une femme heureuse voit deux souris blanches"),
        ("the happy men are old", "les hommes heureux sont vieux"),
        ("the tired girls are clever", "les filles fatiguées sont intelligentes"),
        ("these new hats are white", "ces nouveaux chapeaux sont blancs"),
        ("the horses see the hospitals", "les chevaux voient les hôpitaux"),
        ("the child runs", "l'enfant court"),
        ("the children run", "les enfants courent"),
        ("the good soup is cold", "la bonne soupe est froide"),
    ],
    "adjective order": [
        ("the old black car is here", "la vieille voiture noire est ici"),
        ("the small black cat sleeps", "le petit chat noir dort"),
        ("the sad black cat sleeps", "le chat noir triste dort"),
        ("the clever old king works", "le vieux roi intelligent travaille"),
        ("the old clever king works", "le vieux roi intelligent travaille"),
        ("a beautiful old song is sad", "une belle vieille chanson est triste"),
        ("the cold green apple falls", "la pomme verte froide tombe"),
    ],
    "big": [
        ("the big dogs see a big apple", "les gros chiens voient une grosse pomme"),
        ("the big dog is big", "le gros chien est gros"),
        ("the apples are big", "les pommes sont grosses"),
        ("this big bird eats some big cakes", "ce gros oiseau mange de gros gâteaux"),
        ("a big horse runs in the big garden", "un grand cheval court dans le grand jardin"),
        ("a big man buys two big hats", "un homme grand achète deux grands chapeaux"),
        ("the big old king is big", "le vieux roi grand est grand"),
        ("the big girl waits for some big women", "la grande fille attend des femmes grandes"),
    ],
    "new": [
        ("his new car is not new", "sa nouvelle voiture n'est pas neuve"),
        ("the new hospital is new", "le nouvel hôpital est neuf"),
        ("the hats are new", "les chapeaux sont neufs"),
        ("the song is new", "la chanson est nouvelle"),
        ("the pictures are new", "les images sont nouvelles"),
    ],
    "old": [
        ("the old hospital is beautiful", "le vieil hôpital est beau"),
        ("this old hospital is old", "ce vieil hôpital est vieux"),
        ("the boys never see any old schools", "les garçons ne voient jamais de vieilles écoles"),
        ("some old hospitals are old", "de vieux hôpitaux sont vieux"),
        ("the old house is old", "la vieille maison est vieille"),
    ],
    "side by side": [
        ("a beautiful big house", None),
        ("a beautiful big house is red", "une belle grande maison est rouge"),
        ("some beautiful big apples fall", "de belles grosses pommes tombent"),
        ("the good old song is sad", "la bonne vieille chanson est triste"),
        ("the beautiful young woman is sad", "la belle jeune femme est triste"),
        ("the big old dog sleeps", "le gros vieux chien dort"),
        ("the small old tree falls", None),
        ("the big old house is red", None),
        ("the small new house is red", None),
        ("the small young horse runs", None),
        ("the beautiful new car is red", None),
        ("the beautiful old school is red", "la belle vieille école est rouge"),
        ("the big clever man sleeps", None),
    ],
    "indefinite": [
        ("some small cats sleep", "de petits chats dorment"),
        ("some black cats sleep", "des chats noirs dorment"),
        ("some small black cats sleep", "de petits chats noirs dorment"),
        ("a boy sees an apple", "un garçon voit une pomme"),
        ("a boy does not see an apple", "un garçon ne voit pas de pomme"),
        ("a boy never eats an orange", None),
        ("a boy never finds an old tree", "un garçon ne trouve jamais de vieil arbre"),
        ("some birds do not see any trees", "des oiseaux ne voient pas d'arbres"),
        ("the dog does not sleep in a garden", "le chien ne dort pas dans un jardin"),
    ],
    "partial negation": [
        ("the king does not always listen to a woman", "le roi n'écoute pas toujours une femme"),
        ("the girls do not always wait for a boy", "les filles n'attendent pas toujours un garçon"),
        ("a cat does not always find a big mouse", "un chat ne trouve pas toujours une grosse souris"),
        ("the king does not always listen to any women", "le roi n'écoute pas toujours des femmes"),
        ("the dog does not always drink any milk", "le chien ne boit pas toujours du lait"),
        ("a bee does not always drink any water", "une abeille ne boit pas toujours de l'eau"),
        ("a boy does not always see any big dogs", "un garçon ne voit pas toujours de gros chiens"),
        ("the dog does not always drink some milk", None),
        ("the dog does not always drink the milk", "le chien ne boit pas toujours le lait"),
        ("the dog does not often drink any milk", "le chien ne boit pas souvent de lait"),
        ("the king never listens to a woman", "le roi n'écoute jamais de femme"),
        ("the boy is not always in a house", "le garçon n'est pas toujours dans une maison"),
    ],
    "partitive": [
        ("some water is cold", "de l'eau est froide"),
        ("some good soup is never cold", "de la bonne soupe n'est jamais froide"),
        ("some milk falls", "du lait tombe"),
        ("the child drinks some milk", "l'enfant boit du lait"),
        ("the child drinks some water", "l'enfant boit de l'eau"),
        ("the child drinks some good water", "l'enfant boit de la bonne eau"),
        ("the child drinks some cold water", "l'enfant boit de l'eau froide"),
        ("the child eats some soup", "l'enfant mange de la soupe"),
        ("the child does not eat any bread", "l'enfant ne mange pas de pain"),
        ("the child never drinks any water", "l'enfant ne boit jamais d'eau"),
        ("the child does not drink this water", "l'enfant ne boit pas cette eau"),
    ],
    "adverbs": [
        ("the cat often sleeps", "le chat dort souvent"),
        ("the cat does not always see the mouse", "le chat ne voit pas toujours la souris"),
        ("the girl is often tired", "la fille est souvent fatiguée"),
        ("the girl is not always here", "la fille n'est pas toujours ici"),
        ("the king reads outside", None),
        ("the king reads a book outside", "le roi lit un livre dehors"),
        ("the boys sing now", "les garçons chantent maintenant"),
        ("the man arrives today", "l'homme arrive aujourd'hui"),
    ],
    "places": [
        ("the cat sleeps in the garden", "le chat dort dans le jardin"),
        ("the book is on the table", "le livre est sur la table"),
        ("the dog plays under this tree", "le chien joue sous cet arbre"),
        ("the car is in front of the hospital", "la voiture est devant l'hôpital"),
        ("the mouse is behind my car", "la souris est derrière ma voiture"),
    ],
    "verbs with a particle": [
        ("the boy looks at the tree", "le garçon regarde l'arbre"),
        ("the girls wait for the child", "les filles attendent l'enfant"),
        ("the king does not listen to the song", "le roi n'écoute pas la chanson"),
    ],
}
HAND_MADE = [(rule, *pair) for rule, pairs in BY_RULE.items() for pair in pairs]


@pytest.mark.parametrize(("rule", "english", "french"), HAND_MADE, ids=[each[1] for each in HAND_MADE])
def test_the_translation_is_the_one_made_by_hand(rule, english, french):
    pair = TASK.reference(english)
    assert (pair and pair.target) == french, rule


@pytest.mark.parametrize(
    ("word", "elides"),
    [("école", True), ("homme", True), ("œuf", True), ("hibou", False), ("hiboux", False), ("chat", False)],
)
def test_vowels_and_mute_h_elide(word, elides):
    assert starts_with_vowel(word) is elides


@pytest.mark.parametrize("source", ["the man does not drink some milk", "the man never sees some trees"])
def test_some_is_any_in_the_object_of_a_negated_verb(source: str) -> None:
    assert TASK.reference(source) is None
    assert TASK.reference(source.replace("some", "any")) is not None


@pytest.mark.parametrize("source", ["the man loves some bread", "the man does not love a cat"])
def test_what_one_loves_is_definite_in_french(source: str) -> None:
    assert TASK.reference(source) is None
