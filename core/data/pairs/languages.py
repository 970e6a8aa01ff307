"""Names and codes of languages, by which the columns of a file are recognised."""

from __future__ import annotations

_TABLE = """
af afr afrikaans
am amh amharic አማርኛ
ar ara arabic arabisch arabe العربية عربي арабский
as asm assamese
ay aym aymara
az aze azerbaijani azeri azərbaycanca
be bel belarusian belarussian беларуская
bg bul bulgarian български
bn ben bengali bangla বাংলা
br bre breton brezhoneg
bs bos bosnian bosanski
ca cat catalan català
ceb cebuano
co cos corsican
cs ces cze czech čeština cesky tschechisch
cy cym wel welsh cymraeg
da dan danish dansk dänisch
de deu ger german deutsch allemand alemán tedesco
de duits немецкий 德语 德語 독일어 ドイツ語 almanca niemiecki німецька
el ell gre greek ελληνικά griechisch grec
en eng english englisch anglais inglés inglese inglês engels английский английски
en англійська 英语 英語 영어 ingilizce angielski angličtina engelska engelsk englanti angol engleză
eo epo esperanto
es spa spanish español espanol castellano spanisch
es espagnol испанский 西班牙语 スペイン語 스페인어 ispanyolca hiszpański
et est estonian eesti
eu eus baq basque euskara
fa fas per persian farsi فارسی
fi fin finnish suomi finnisch
fil filipino
fo fao faroese føroyskt
fr fra fre french français francais französisch francés
fr francese frans французский 法语 法語 フランス語 프랑스어 fransızca francuski
fy fry frisian frysk
ga gle irish gaeilge
gd gla gaelic gàidhlig
gl glg galician galego
gn grn guarani
gu guj gujarati ગુજરાતી
ha hau hausa
haw hawaiian
he heb iw hebrew עברית
hi hin hindi हिन्दी हिंदी
hr hrv croatian hrvatski
ht hat haitian creole kreyòl
hu hun hungarian magyar ungarisch
hy hye arm armenian հայերեն
id ind indonesian
ig ibo igbo
is isl ice icelandic íslenska
it ita italian italiano italienisch italien итальянский 意大利语 włoski
iu iku inuktitut
ja jpn jp japanese 日本語 japanisch japonais японский 日语 日語 일본어 japonca
jv jav javanese
ka kat geo georgian ქართული
kk kaz kazakh қазақша
km khm khmer ខ្មែរ
kn kan kannada ಕನ್ನಡ
ko kor korean 한국어 koreanisch корейский 韩语 韓国語
ku kur kurdish kurdî
ky kir kyrgyz кыргызча
la lat latin latein
lb ltz luxembourgish lëtzebuergesch
lo lao ລາວ
lt lit lithuanian lietuvių
lv lav latvian latviešu
mg mlg malagasy
mi mri mao maori māori
mk mkd mac macedonian македонски
ml mal malayalam മലയാളം
mn mon mongolian монгол
mr mar marathi मराठी
ms msa may malay melayu
mt mlt maltese malti
my mya bur burmese myanmar မြန်မာ
ne nep nepali नेपाली
nl nld dut dutch nederlands niederländisch flemish
no nor nb nob nn nno norwegian norsk bokmål nynorsk
oc oci occitan
or ori ory odia oriya ଓଡ଼ିଆ
pa pan punjabi ਪੰਜਾਬੀ
pl pol polish polski polnisch польский
ps pus pashto پښتو
pt por portuguese português portugues portugiesisch португальский
qu que quechua
rm roh romansh
ro ron rum romanian română romana
ru rus russian русский russisch russe 俄语 ロシア語 러시아어 rusça rosyjski ruso russo
rw kin kinyarwanda
sa san sanskrit संस्कृतम्
sd snd sindhi
si sin sinhala sinhalese සිංහල
sk slk slo slovak slovenčina
sl slv slovene slovenian slovenščina
sm smo samoan
sn sna shona
so som somali
sq sqi alb albanian shqip
sr srp serbian српски srpski
st sot sesotho
su sun sundanese
sv swe swedish svenska schwedisch
sw swa swahili kiswahili
ta tam tamil தமிழ்
te tel telugu తెలుగు
tg tgk tajik
th tha thai ไทย ภาษาไทย
ti tir tigrinya
tk tuk turkmen
tl tgl tagalog
tr tur turkish türkçe turkce türkisch турецкий turc turco
tt tat tatar татарча
ug uig uyghur
uk ukr ukrainian українська украинский
ur urd urdu اردو
uz uzb uzbek
vi vie vietnamese việt vietnamesisch
wo wol wolof
xh xho xhosa
yi yid yiddish ייִדיש
yo yor yoruba yorùbá
yue cantonese 粵語
zh zho chi cn chinese mandarin 中文 汉语 漢語
zh chinesisch chinois китайский 中国語 중국어 çince chiński chino cinese
zu zul zulu
tok toki pona
tlh klingon
grc ancient greek
ang anglo saxon
"""
LANGUAGES = {
    word: words[0] for words in map(str.split, _TABLE.strip().splitlines()) for word in dict.fromkeys(words)
}
"""The first code of each language, by its codes and names in lower case."""


def is_code(word: str) -> bool:
    """Return True if a lower-case word is the code of a language, not one of its names."""
    return word in LANGUAGES and word.isascii() and len(word) <= 3
