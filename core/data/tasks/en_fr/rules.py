"""The grammar's rules of French, in words, each with a sentence that shows it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """A rule in one sentence, and a source and its target in which it is at work."""

    title: str
    rule: str
    source: str
    target: str


RULES = (
    Rule(
        "Articles",
        "Articles take the gender and number of their noun: le, la or les, and un, une or des.",
        "the boy sees the girls in a house",
        "le garçon voit les filles dans une maison",
    ),
    Rule(
        "Verbs",
        "The verb has one form for one subject and another for several.",
        "the boys read a letter",
        "les garçons lisent une lettre",
    ),
    Rule(
        "Verbs with a preposition",
        "Look at, listen to and wait for are single verbs in French: regarder, écouter, attendre.",
        "the woman waits for the child",
        "la femme attend l'enfant",
    ),
    Rule(
        "Elision",
        "Before a vowel or a mute h, le and la become l', ne becomes n' and de becomes d'.",
        "the man does not love the school",
        "l'homme n'aime pas l'école",
    ),
    Rule(
        "Aspirated h",
        "The h of hibou is silent too, but no word elides before it.",
        "the owl sleeps",
        "le hibou dort",
    ),
    Rule(
        "Agreement",
        "Adjectives take the gender and number of their noun, beside it or after être.",
        "the small mice are happy",
        "les petites souris sont heureuses",
    ),
    Rule(
        "Adjective order",
        "Adjectives follow their noun, but beautiful, good, small, big, old, new and young come before it.",
        "the big black cat sleeps",
        "le gros chat noir dort",
    ),
    Rule(
        "Several adjectives",
        "Adjectives that follow the noun stand in the reverse of their English order.",
        "the strange black cat sleeps",
        "le chat noir étrange dort",
    ),
    Rule(
        "Two adjectives before a noun",
        "At most one adjective stands before a noun, except for natural pairs such as belle petite and bon vieux.",
        "the girl draws a beautiful small house",
        "la fille dessine une belle petite maison",
    ),
    Rule(
        "Grand and gros",
        "Big is grand, but gros of most animals, of food, books and cars.",
        "the big dog finds two big apples",
        "le gros chien trouve deux grosses pommes",
    ),
    Rule(
        "A tall man",
        "Grand follows man, woman, king and child: un grand homme would be a great one.",
        "a big woman listens to a big boy",
        "une femme grande écoute un grand garçon",
    ),
    Rule(
        "Nouveau and neuf",
        "New is nouveau before its noun; after être it is neuf of what is made to be used.",
        "his new car is not new",
        "sa nouvelle voiture n'est pas neuve",
    ),
    Rule(
        "Old",
        "Old is vieux before its noun, where ancien would mean former: l'ancien hôpital is a hospital no more.",
        "the old man sees the old school",
        "le vieil homme voit la vieille école",
    ),
    Rule(
        "Before a vowel",
        "Beau, nouveau and vieux become bel, nouvel and vieil before a masculine noun that begins with a vowel sound.",
        "the old man looks at the beautiful bird",
        "le vieil homme regarde le bel oiseau",
    ),
    Rule(
        "This and these",
        "This is ce or cette, and cet before a masculine vowel sound; these is ces.",
        "this man loves these cats",
        "cet homme aime ces chats",
    ),
    Rule(
        "Possessives",
        "Possessives take the gender of what is owned: his and her are both son or sa.",
        "the man finds her car",
        "l'homme trouve sa voiture",
    ),
    Rule(
        "Possessives before a vowel",
        "Ma, ta and sa become mon, ton and son before a vowel sound.",
        "my school is beautiful",
        "mon école est belle",
    ),
    Rule(
        "Partitive",
        "Some of a stuff that is not counted is du, de la or de l'.",
        "the child drinks some water",
        "l'enfant boit de l'eau",
    ),
    Rule(
        "De before an adjective",
        "Des becomes de where an adjective stands before the plural noun.",
        "the girl draws some beautiful houses",
        "la fille dessine de belles maisons",
    ),
    Rule(
        "Negation",
        "Not becomes two words, ne before the verb and pas after it; do and does have no word of their own.",
        "the boys do not sing",
        "les garçons ne chantent pas",
    ),
    Rule(
        "Never",
        "Never is ne before the verb and jamais after it.",
        "the king never works",
        "le roi ne travaille jamais",
    ),
    Rule(
        "De after a negation",
        "In the object of a negated verb, a and any become de.",
        "the girl does not buy any milk",
        "la fille n'achète pas de lait",
    ),
    Rule(
        "Not always",
        "After pas toujours the object keeps its article, since only toujours is negated: une femme, not de femme.",
        "the king does not always listen to a woman",
        "le roi n'écoute pas toujours une femme",
    ),
    Rule(
        "Often and always",
        "Often and always move after the verb.",
        "the bird often sings outside",
        "l'oiseau chante souvent dehors",
    ),
)
