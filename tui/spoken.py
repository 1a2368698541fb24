"""The program's own phrases around an answer on stdout, in the languages that people ask in.

Only what stands between the claims: an answer in Spanish should not end in an English list. Stderr, JSON and the
names of tools stay as they are, since scripts and bug reports rely on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Spoken:
    """One language."""

    no_evidence: str
    could_not_search: str
    model_failed: str
    out_of_time: str
    """In its place, where the budget's seconds were over before the model had answered."""
    searched: str
    nothing: str
    covered: str
    index: str
    """What the search could see; English, which knows one file from two, has `audit.index_line`."""
    tools: str
    all_worked: str
    did_not_work: str
    failed: str
    one_result: str
    results: str
    more_exist: str
    recommendations: str
    steps: str
    files_to_review: str
    line: str
    lines: str


ENGLISH = Spoken(
    no_evidence="No evidence found: the search below was made, and nothing it found answers the question.",
    could_not_search="Could not search: something below did not work, so this says nothing about the sources.",
    model_failed="The model failed: it was asked twice, and its answer could not be read. This says nothing about the sources.",
    out_of_time="The time was up before the model had given an answer. This says nothing about the sources.",
    searched="Searched:",
    nothing="nothing",
    covered="Covered: ",
    index="",
    tools="Tools: ",
    all_worked="all worked",
    did_not_work="{tools} did not work",
    failed="failed: {why}",
    one_result="1 result",
    results="{count} results",
    more_exist=", more exist",
    recommendations="Recommendations (advice; the lines they rest on are verified)",
    steps="Steps",
    files_to_review="Files to review",
    line="line",
    lines="lines",
)

SPANISH = Spoken(
    no_evidence="No se encontraron pruebas: se hizo la búsqueda de abajo y nada de lo hallado responde a la pregunta.",
    could_not_search="No se pudo buscar: algo de lo de abajo no funcionó, así que esto no dice nada sobre el código.",
    model_failed="Falló el modelo: se le preguntó dos veces y su respuesta no se pudo leer. Esto no dice nada sobre el código.",
    out_of_time="Se acabó el tiempo antes de que el modelo diera una respuesta. Esto no dice nada sobre el código.",
    searched="Se buscó:",
    nothing="nada",
    covered="Abarcado: ",
    index="archivos: {files}, fragmentos: {chunks}, de ellos con vectores: {share}, archivos omitidos: {skipped}",
    tools="Herramientas: ",
    all_worked="todas funcionaron",
    did_not_work="no funcionó {tools}",
    failed="falló: {why}",
    one_result="1 resultado",
    results="{count} resultados",
    more_exist=", hay más",
    recommendations="Recomendaciones (consejos; las líneas en que se apoyan están verificadas)",
    steps="Pasos",
    files_to_review="Archivos para revisar",
    line="línea",
    lines="líneas",
)

PORTUGUESE = Spoken(
    no_evidence="Nenhuma evidência encontrada: a busca abaixo foi feita e nada do que ela achou responde à pergunta.",
    could_not_search="Não foi possível buscar: algo abaixo não funcionou, portanto isto não diz nada sobre o código.",
    model_failed="O modelo falhou: foi perguntado duas vezes e não foi possível ler a resposta. Isto não diz nada sobre o código.",
    out_of_time="O tempo acabou antes de o modelo dar uma resposta. Isto não diz nada sobre o código.",
    searched="Buscado:",
    nothing="nada",
    covered="Coberto: ",
    index="arquivos: {files}, trechos: {chunks}, deles com vetores: {share}, arquivos ignorados: {skipped}",
    tools="Ferramentas: ",
    all_worked="todas funcionaram",
    did_not_work="não funcionou: {tools}",
    failed="falhou: {why}",
    one_result="1 resultado",
    results="{count} resultados",
    more_exist=", há mais",
    recommendations="Recomendações (conselhos; as linhas em que se apoiam foram verificadas)",
    steps="Passos",
    files_to_review="Arquivos para revisar",
    line="linha",
    lines="linhas",
)

JAPANESE = Spoken(
    no_evidence="根拠は見つかりませんでした。以下の検索を行いましたが、質問に答えるものはありませんでした。",
    could_not_search="検索できませんでした。以下のいずれかが動作しなかったため、コードについては何も言えません。",
    model_failed="モデルの失敗です。2 回尋ねましたが、回答を読み取れませんでした。コードについては何も言えません。",
    out_of_time="モデルが回答し終える前に時間切れになりました。コードについては何も言えません。",
    searched="検索内容:",
    nothing="なし",
    covered="対象: ",
    index="ファイル {files}、断片 {chunks}(うちベクトルあり {share})、除外したファイル {skipped}",
    tools="ツール: ",
    all_worked="すべて動作しました",
    did_not_work="{tools} が動作しませんでした",
    failed="失敗: {why}",
    one_result="1 件",
    results="{count} 件",
    more_exist="(ほかにもあります)",
    recommendations="提案(助言です。根拠の行は確認済みです)",
    steps="手順",
    files_to_review="確認するファイル",
    line="行",
    lines="行",
)

SPOKEN: Mapping[Literal["en", "es", "pt", "ja"], Spoken] = {
    "en": ENGLISH,
    "es": SPANISH,
    "pt": PORTUGUESE,
    "ja": JAPANESE,
}


def spoken_for(question: str) -> Spoken:
    """The phrases in the language in which the question is put."""
    # Reading a question loads the glossary, which nothing but a finished answer should wait for.
    from agent.question import QuestionReader

    return SPOKEN[QuestionReader().read(question).language]


@dataclass(frozen=True, slots=True)
class SpokenDrafts:
    """One language, around the account of drafted tests."""

    style: str
    kept: str
    noticed: str
    """How many of the small changes made to the target the kept tests notice."""
    unnoticed: str
    removed: str
    dropped: str
    untested: str
    scaffold: str
    nothing: str


DRAFTS: Mapping[Literal["en", "es", "pt", "ja"], SpokenDrafts] = {
    "en": SpokenDrafts(
        style="How this project tests",
        kept="tests kept: {count}",
        noticed="broken on purpose, noticed {killed} of {total} times",
        unnoticed="not noticed",
        removed="(removed)",
        dropped="not kept",
        untested="untested",
        scaffold="a scaffold, unfinished; no test is kept",
        nothing="no test is kept",
    ),
    "es": SpokenDrafts(
        style="Cómo se prueba en este proyecto",
        kept="pruebas conservadas: {count}",
        noticed="roto a propósito, advertido {killed} de {total} veces",
        unnoticed="no advertido",
        removed="(eliminado)",
        dropped="no conservada",
        untested="sin probar",
        scaffold="un esqueleto sin terminar; no se conserva ninguna prueba",
        nothing="no se conserva ninguna prueba",
    ),
    "pt": SpokenDrafts(
        style="Como este projeto testa",
        kept="testes mantidos: {count}",
        noticed="quebrado de propósito, notado {killed} de {total} vezes",
        unnoticed="não notado",
        removed="(removido)",
        dropped="não mantido",
        untested="sem teste",
        scaffold="um esqueleto inacabado; nenhum teste é mantido",
        nothing="nenhum teste é mantido",
    ),
    "ja": SpokenDrafts(
        style="このプロジェクトのテストの書き方",
        kept="残したテスト: {count}",
        noticed="わざと壊した {total} 回のうち {killed} 回を検知",
        unnoticed="検知できず",
        removed="(削除)",
        dropped="残さず",
        untested="未テスト",
        scaffold="未完成の骨組みです。残したテストはありません",
        nothing="残したテストはありません",
    ),
}
