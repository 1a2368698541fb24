"""Which language a question is in, and which of its words carry no content.

Tiny and deterministic on purpose: script first, then the words that hold a sentence together. A wrong guess costs
little, since names and words of the code itself are looked up whatever the language. Beyond the stop words that
`words.py` drops from every query, a question has words of asking ("which function handles…"), listed here.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from tools.index.words import STOP_WORDS

Language: TypeAlias = Literal["en", "es", "pt", "ja", "other"]
"""`other` is a script or language without a glossary: only names and words of the code count there."""

KANA = re.compile(r"[぀-ヿㇰ-ㇿｦ-ﾝ]")
IDEOGRAPH = re.compile(r"[㐀-䶿一-鿿豈-﫿]")
LETTER = re.compile(r"[^\W\d_]")
WORD = re.compile(r"[^\W\d_]+")
ACCENTS: tuple[tuple[str, Language], ...] = (("ñ¿¡", "es"), ("ãõçêôà", "pt"), ("áéíóúü", "es"))


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = STOP_WORDS["en"] | _words(
    """itself had ought above below during against across along among around down upon per because since whenever
    wherever whatever however yes also less least few either neither another again never always still already
    yet even rather instead lets got e g ie eg etc vs need know"""
)
ASKING = _words(
    """define defined defines definition declare declared implement implemented implements implementation located
    location live lives code codebase source repository repo project program function functions method methods
    class classes module modules file files line lines place part happen happens happening work works handle
    handled handles responsible logic mechanism produce produces purpose decide decides decided determine determines
    determined choose chooses chosen pick picks picked plugged"""
)
"""English words of asking itself ("which function produces…"): too common in code to tell one place from another."""
SPANISH = STOP_WORDS["es"] | _words(
    """unas bajo contra según u ni sino cuales cuyo adonde cuanto te mis tus estas esos esas aquel aquella menos
    solo sólo sido estar haber han he hacen hecho tienen tener poder debe deben deber toda todas otro otra otros
    otras mismo misma alguno alguna algún nada nunca siempre entonces parte lugar código dentro fuera después
    exactamente usar utiliza utilizan utilizar encarga ocurre sucede pasa"""
)
SPANISH_ASKING = _words(
    """define definen definido definida definidos definidas definición implementa implementan implementado
    implementada implementación función funciones método métodos clase clases módulo módulos archivo archivos
    fichero ficheros línea encuentra encuentran ubicado ubicada maneja manejan gestiona gestionan repositorio
    proyecto funciona funcionan realiza realizan"""
)
PORTUGUESE = STOP_WORDS["pt"] | _words(
    """uns umas num numa pelas pra sob sobre desde após ante quê cujo cuja aonde te lhes nós suas minha estes estas
    esses essas sim menos sido estão estar haver fazem feito feita têm ter poder deve devem dever cada todo toda
    todos todas outro outra outros outras mesma algo algum alguma nada nunca sempre então parte lugar código
    dentro fora antes exatamente usar utiliza utilizam utilizar ocorre acontece fica ficam"""
)
PORTUGUESE_ASKING = _words(
    """define definem definido definida definidos definidas definição implementa implementam implementado
    implementada implementação função funções método métodos classe classes módulo módulos arquivo arquivos
    ficheiro linha encontra encontram localizado localizada trata tratam tratado tratada gerencia repositório
    projeto funciona funcionam realiza realizam"""
)
JAPANESE = STOP_WORDS["ja"] | _words(
    """関数 メソッド クラス モジュール ファイル 定義 実装 処理 場所 コード 行 方法 仕組み 動作 部分 使用 利用 実行"""
)
"""What Japanese questions say around their subject; found by the glossary, so they have to be left out by hand."""


def language_of_question(text: str) -> Language:
    """The language of a question: by script, then by its small words; English when nothing speaks against it."""
    letters = len(LETTER.findall(text))
    if not letters or KANA.search(text):
        return "ja" if letters else "en"
    foreign = len([letter for letter in LETTER.findall(text) if ord(letter) > 0x24F])
    if foreign * 4 > letters:
        return "other"
    words = [word.casefold() for word in WORD.findall(text)]
    votes: dict[Language, float] = {
        "en": sum(word in ENGLISH for word in words),
        "es": sum(word in SPANISH for word in words),
        "pt": sum(word in PORTUGUESE for word in words),
    }
    for letters_of, language in ACCENTS:
        votes[language] += 0.75 * sum(letter in letters_of for letter in text.casefold())
    best = max(votes.values())
    return next(language for language in ("en", "es", "pt") if votes[language] == best)


def is_stop_word(word: str, language: Language) -> bool:
    """Whether a word (any case) only holds the sentence together, or only does the asking."""
    low = word.casefold()
    if language == "es":
        return low in SPANISH or low in SPANISH_ASKING
    if language == "pt":
        return low in PORTUGUESE or low in PORTUGUESE_ASKING
    if language == "ja":
        return low in JAPANESE or low in ENGLISH
    return low in ENGLISH or low in ASKING
