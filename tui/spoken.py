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
