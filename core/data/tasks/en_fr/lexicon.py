"""The words of the grammar: what they are called in both languages, and what they sensibly go with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Gender = Literal["m", "f"]
Number = Literal["singular", "plural", "mass"]


# Every word exists once, in the tables below, so that words are compared and looked up by identity.
@dataclass(frozen=True, eq=False)
class Noun:
    """A noun; `tags` say what kind of thing it names, and a mass noun (bread) has no plural."""

    singular: str
    plural: str | None
    fr_singular: str
    fr_plural: str | None
    gender: Gender
    tags: frozenset[str]

    @property
    def is_mass(self) -> bool:
        """Whether the noun names a stuff, which is not counted."""
        return self.plural is None


@dataclass(frozen=True, eq=False)
class FrenchAdjective:
    """The forms of a French adjective, and whether it stands before its noun or after it.

    `before_vowel` is the masculine singular in front of a vowel, where it differs (bel).
    """

    masculine: str
    feminine: str
    masculine_plural: str
    feminine_plural: str
    before_vowel: str | None
    before_noun: bool

    def forms(self) -> tuple[str, ...]:
        """Return every form."""
        plurals = (self.masculine_plural, self.feminine_plural)
        return (self.masculine, self.feminine, *plurals, *((self.before_vowel,) if self.before_vowel else ()))


@dataclass(frozen=True, eq=False)
class Sense:
    """What an English adjective is called of nouns with one of `tags`; perhaps only after "to be"."""

    french: FrenchAdjective
    tags: frozenset[str]
    only_told: bool = False


@dataclass(frozen=True, eq=False)
class Adjective:
    """An adjective, its usual French, and its other senses.

    `rank` puts English adjectives in order; `suits` are tags of nouns.
    """

    english: str
    french: FrenchAdjective
    rank: int
    suits: frozenset[str]
    senses: tuple[Sense, ...] = ()

    def french_of(self, noun: Noun, *, is_told: bool = False) -> FrenchAdjective:
        """Return its French beside a noun, or where it is told of one after "to be"."""
        for sense in self.senses:
            if sense.tags & noun.tags and (is_told or not sense.only_told):
                return sense.french
        return self.french

    def french_forms(self) -> tuple[str, ...]:
        """Return every French form of every sense."""
        kinds = (self.french, *(sense.french for sense in self.senses))
        return tuple(dict.fromkeys(form for kind in kinds for form in kind.forms()))


@dataclass(frozen=True, eq=False)
class Verb:
    """A verb in the present tense; `objects` is None for an intransitive one.

    `particle` is the English word between verb and object (look at); a verb with `settings` can
    take place somewhere; one that is `fond` (love) takes definite objects in French.
    """

    plural: str
    third_person: str
    particle: str | None
    fr_singular: str
    fr_plural: str
    subjects: frozenset[str]
    objects: frozenset[str] | None
    has_settings: bool = True
    is_fond: bool = False


@dataclass(frozen=True, eq=False)
class Determiner:
    """A determiner: the numbers of noun it goes with, and its French forms.

    `fr_before_vowel` holds the masculine and feminine singular in front of a vowel, where they differ.
    The French of an indefinite one (a, some, any) also depends on what surrounds it.
    """

    english: str
    numbers: frozenset[Number]
    fr_masculine: str
    fr_feminine: str
    fr_plural: str
    fr_before_vowel: tuple[str, str] | None = None
    is_indefinite: bool = False
    is_possessive: bool = False

    def french_forms(self) -> tuple[str, ...]:
        """Return every French form that the table holds."""
        forms = (self.fr_masculine, self.fr_feminine, self.fr_plural, *(self.fr_before_vowel or ()))
        return tuple(form for form in forms if form)


@dataclass(frozen=True, eq=False)
class Preposition:
    """A preposition of place, in one or more English words, and the tags of the places it suits."""

    english: tuple[str, ...]
    french: str
    suits: frozenset[str]


@dataclass(frozen=True, eq=False)
class Adverb:
    """An adverb that ends a sentence."""

    english: str
    french: str
    is_place: bool


def _tags(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _forms(text: str) -> tuple[str, str | None]:
    singular, *plural = text.split()
    return singular, plural[0] if plural else None


def _noun(english: str, french: str, gender: Gender, tags: str) -> Noun:
    """Return a noun from "singular plural" in each language, or the one form of a mass noun."""
    return Noun(*_forms(english), *_forms(french), gender, _tags(tags))


NOUNS = (
    _noun("man men", "homme hommes", "m", "person adult tall"),
    _noun("woman women", "femme femmes", "f", "person adult tall"),
    _noun("king kings", "roi rois", "m", "person adult owned tall"),
    _noun("child children", "enfant enfants", "m", "person player owned tall"),
    _noun("boy boys", "garçon garçons", "m", "person player"),
    _noun("girl girls", "fille filles", "f", "person player"),
    _noun("cat cats", "chat chats", "m", "animal player runner little owned bulky"),
    _noun("dog dogs", "chien chiens", "m", "animal player runner little owned bulky"),
    _noun("horse horses", "cheval chevaux", "m", "animal runner owned"),
    _noun("mouse mice", "souris souris", "f", "animal runner little owned bulky"),
    _noun("bird birds", "oiseau oiseaux", "m", "animal singer coloured little owned bulky"),
    _noun("owl owls", "hibou hiboux", "m", "animal singer little owned bulky"),
    _noun("bee bees", "abeille abeilles", "f", "animal little owned bulky"),
    _noun("book books", "livre livres", "m", "thing readable coloured little owned bulky made"),
    _noun("letter letters", "lettre lettres", "f", "thing readable little owned"),
    _noun("picture pictures", "image images", "f", "thing coloured little owned"),
    _noun("hat hats", "chapeau chapeaux", "m", "thing coloured little owned made"),
    _noun("table tables", "table tables", "f", "thing furniture coloured owned made"),
    _noun("car cars", "voiture voitures", "f", "thing vehicle coloured owned bulky made"),
    _noun("song songs", "chanson chansons", "f", "sound owned"),
    _noun("apple apples", "pomme pommes", "f", "food fruit little owned bulky"),
    _noun("cake cakes", "gâteau gâteaux", "m", "food little owned bulky"),
    _noun("bread", "pain", "m", "stuff eaten owned"),
    _noun("soup", "soupe", "f", "stuff eaten owned"),
    _noun("milk", "lait", "m", "stuff drunk owned"),
    _noun("water", "eau", "f", "stuff drunk liquid owned"),
    _noun("house houses", "maison maisons", "f", "place building coloured owned made"),
    _noun("school schools", "école écoles", "f", "place building owned made"),
    _noun("hospital hospitals", "hôpital hôpitaux", "m", "place building made"),
    _noun("garden gardens", "jardin jardins", "m", "place enclosure owned"),
    _noun("tree trees", "arbre arbres", "m", "place plant owned"),
)

OPINION, QUALITY, SIZE, AGE, COLOUR = range(5)


def _before(french: str, before_vowel: str | None = None) -> FrenchAdjective:
    """Return a French adjective that stands before its noun, from its four forms."""
    masculine, feminine, masculines, feminines = french.split()
    return FrenchAdjective(masculine, feminine, masculines, feminines, before_vowel, before_noun=True)


def _after(french: str) -> FrenchAdjective:
    """Return a French adjective that follows its noun, from its four forms."""
    masculine, feminine, masculines, feminines = french.split()
    return FrenchAdjective(masculine, feminine, masculines, feminines, None, before_noun=False)


def _adjective(english: str, french: FrenchAdjective, rank: int, suits: str, *senses: Sense) -> Adjective:
    return Adjective(english, french, rank, _tags(suits), senses)


_BIG_SENSES = (
    # Before these nouns grand would be great, and un grand enfant is a childish man.
    Sense(_after("grand grande grands grandes"), _tags("tall")),
    Sense(_before("gros grosse gros grosses"), _tags("bulky")),
)
# Before its noun "new" says that it is another one; told of a thing, that nobody used it before.
_NEUF = Sense(_after("neuf neuve neufs neuves"), _tags("made"), only_told=True)

ADJECTIVES = (
    _adjective(
        "beautiful",
        _before("beau belle beaux belles", "bel"),
        OPINION,
        "person animal thing sound food place",
    ),
    _adjective("good", _before("bon bonne bons bonnes"), OPINION, "readable sound food stuff"),
    _adjective("small", _before("petit petite petits petites"), SIZE, "person animal thing sound food place"),
    _adjective(
        "big", _before("grand grande grands grandes"), SIZE, "person animal thing food place", *_BIG_SENSES
    ),
    # Not ancien, which before its noun means former: l'ancien hôpital is a hospital no more.
    _adjective(
        "old", _before("vieux vieille vieux vieilles", "vieil"), AGE, "adult animal thing sound place"
    ),
    _adjective(
        "new", _before("nouveau nouvelle nouveaux nouvelles", "nouvel"), AGE, "thing sound building", _NEUF
    ),
    _adjective("young", _before("jeune jeune jeunes jeunes"), AGE, "person animal plant"),
    _adjective("happy", _after("heureux heureuse heureux heureuses"), QUALITY, "person animal"),
    _adjective("sad", _after("triste triste tristes tristes"), QUALITY, "person animal sound"),
    _adjective(
        "clever", _after("intelligent intelligente intelligents intelligentes"), QUALITY, "person animal"
    ),
    _adjective("tired", _after("fatigué fatiguée fatigués fatiguées"), QUALITY, "person animal"),
    _adjective("cold", _after("froid froide froids froides"), QUALITY, "stuff food"),
    _adjective(
        "strange", _after("étrange étrange étranges étranges"), QUALITY, "person animal thing sound place"
    ),
    _adjective("black", _after("noir noire noirs noires"), COLOUR, "animal coloured"),
    _adjective("white", _after("blanc blanche blancs blanches"), COLOUR, "animal coloured"),
    _adjective("red", _after("rouge rouge rouges rouges"), COLOUR, "coloured fruit"),
    _adjective("green", _after("vert verte verts vertes"), COLOUR, "coloured fruit plant"),
    _adjective("blue", _after("bleu bleue bleus bleues"), COLOUR, "coloured"),
)

# French has at most one adjective before a noun, but for these (une belle petite maison).
_SIDE_BY_SIDE = {
    ("beau", "petit"),
    ("beau", "grand"),
    ("beau", "gros"),
    ("beau", "jeune"),
    ("beau", "vieux"),
    ("bon", "petit"),
    ("bon", "gros"),
    ("bon", "vieux"),
    ("gros", "vieux"),
}


def in_english_order(first: Adjective, second: Adjective) -> bool:
    """Whether two adjectives may follow each other: by rank, but a quality on either side of size and age."""
    if second.rank == QUALITY and first.rank in (SIZE, AGE):
        return True
    return first.rank < second.rank


def in_french_together(first: Adjective, second: Adjective, noun: Noun) -> bool:
    """Whether two adjectives, in English order, can stand beside a noun in French without "et" or a comma."""
    kinds = (first.french_of(noun), second.french_of(noun))
    if kinds[0].before_noun != kinds[1].before_noun:
        return True
    if kinds[0].before_noun:
        return (kinds[0].masculine, kinds[1].masculine) in _SIDE_BY_SIDE
    return first.rank == QUALITY and second.rank == COLOUR


_BEINGS = "person animal"

VERBS = (
    Verb("sleep", "sleeps", None, "dort", "dorment", _tags(_BEINGS), None),
    Verb("sing", "sings", None, "chante", "chantent", _tags("person singer"), None),
    Verb("run", "runs", None, "court", "courent", _tags("person runner"), None),
    Verb("play", "plays", None, "joue", "jouent", _tags("player"), None),
    Verb("work", "works", None, "travaille", "travaillent", _tags("person"), None),
    Verb("fall", "falls", None, "tombe", "tombent", _tags(_BEINGS + " little stuff"), None),
    Verb(
        "arrive", "arrives", None, "arrive", "arrivent", _tags(_BEINGS + " vehicle"), None, has_settings=False
    ),
    Verb("see", "sees", None, "voit", "voient", _tags(_BEINGS), _tags(_BEINGS + " thing food place")),
    Verb("find", "finds", None, "trouve", "trouvent", _tags(_BEINGS), _tags(_BEINGS + " thing food")),
    Verb("eat", "eats", None, "mange", "mangent", _tags(_BEINGS), _tags("food eaten")),
    Verb("drink", "drinks", None, "boit", "boivent", _tags(_BEINGS), _tags("drunk")),
    Verb("read", "reads", None, "lit", "lisent", _tags("person"), _tags("readable")),
    Verb(
        "draw", "draws", None, "dessine", "dessinent", _tags("person"), _tags(_BEINGS + " thing food place")
    ),
    Verb("buy", "buys", None, "achète", "achètent", _tags("person"), _tags("thing food stuff")),
    Verb("look", "looks", "at", "regarde", "regardent", _tags(_BEINGS), _tags(_BEINGS + " thing food place")),
    Verb("listen", "listens", "to", "écoute", "écoutent", _tags(_BEINGS), _tags("person singer sound")),
    Verb("wait", "waits", "for", "attend", "attendent", _tags(_BEINGS), _tags(_BEINGS)),
    Verb(
        "love",
        "loves",
        None,
        "aime",
        "aiment",
        _tags(_BEINGS),
        _tags(_BEINGS + " thing food stuff sound place"),
        has_settings=False,
        is_fond=True,
    ),
)

_ALL_NUMBERS: frozenset[Number] = frozenset({"singular", "plural", "mass"})
_NOT_PLURAL = _ALL_NUMBERS - {"plural"}
_NOT_SINGULAR = _ALL_NUMBERS - {"singular"}
_SINGULAR: frozenset[Number] = frozenset({"singular"})
_PLURAL: frozenset[Number] = frozenset({"plural"})

DETERMINERS = (
    Determiner("the", _ALL_NUMBERS, "le", "la", "les", ("l'", "l'")),
    Determiner("a", _SINGULAR, "un", "une", "", is_indefinite=True),
    Determiner("some", _NOT_SINGULAR, "", "", "des", is_indefinite=True),
    Determiner("any", _NOT_SINGULAR, "", "", "des", is_indefinite=True),
    Determiner("this", _NOT_PLURAL, "ce", "cette", "", ("cet", "cette")),
    Determiner("these", _PLURAL, "", "", "ces"),
    Determiner("my", _ALL_NUMBERS, "mon", "ma", "mes", ("mon", "mon"), is_possessive=True),
    Determiner("your", _ALL_NUMBERS, "ton", "ta", "tes", ("ton", "ton"), is_possessive=True),
    Determiner("his", _ALL_NUMBERS, "son", "sa", "ses", ("son", "son"), is_possessive=True),
    Determiner("her", _ALL_NUMBERS, "son", "sa", "ses", ("son", "son"), is_possessive=True),
    Determiner("our", _ALL_NUMBERS, "notre", "notre", "nos", is_possessive=True),
    Determiner("their", _ALL_NUMBERS, "leur", "leur", "leurs", is_possessive=True),
    Determiner("two", _PLURAL, "", "", "deux"),
)

PREPOSITIONS = (
    Preposition(("in",), "dans", _tags("building vehicle enclosure liquid")),
    Preposition(("on",), "sur", _tags("furniture")),
    Preposition(("under",), "sous", _tags("furniture plant")),
    Preposition(("behind",), "derrière", _tags("building vehicle plant")),
    Preposition(("in", "front", "of"), "devant", _tags("building vehicle plant")),
)

FREQUENCIES = (Adverb("often", "souvent", False), Adverb("always", "toujours", False))

FINAL_ADVERBS = (
    Adverb("here", "ici", True),
    Adverb("outside", "dehors", True),
    Adverb("now", "maintenant", False),
    Adverb("today", "aujourd'hui", False),
)
