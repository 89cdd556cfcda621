"""Vocabulary of the Clinical Knowledge Graph: labels, and the relation of each file.

The column TYPE of the files is not the relationship: CKG's builder derives it from the file name,
as the rules here do. They follow its Cypher queries, including their one reversal: files of
mentions start with the publication, the relationship starts with the entity mentioned.
"""

import re
from dataclasses import dataclass, replace

from backend.graphs.importers.common.base import RelationPhrases, relation_table
from backend.runtime.data_file import DataFile


@dataclass(frozen=True, slots=True)
class RelationshipRule:
    """The pattern of a file's name, and the relation of its rows."""

    pattern: str
    relation: str
    start: str = ""
    end: str = ""
    swapped: bool = False
    alias: str = ""


class CkgVocabulary(DataFile):
    prefixes: dict[str, str]
    plurals: dict[str, str]
    split_by_comma: frozenset[str]
    relations: tuple[RelationPhrases, ...]
    lowercase_labels: dict[str, str]
    file_rules: tuple[RelationshipRule, ...]


VOCABULARY = CkgVocabulary.load(__file__)
PREFIXES, SPLIT_BY_COMMA = VOCABULARY.prefixes, VOCABULARY.split_by_comma
RELATIONS = relation_table(*VOCABULARY.relations)
LABEL = "|".join(sorted(PREFIXES, key=len, reverse=True))
ENTITY_FILE_NAME = re.compile(rf"(\w+_)?(?P<label>{LABEL}|{'|'.join(VOCABULARY.plurals)})")
SUFFIXES = re.compile(r"(\.(tsv|csv|txt|gz|bz2|xz))+$")
LOWERCASE_LABEL = "|".join(VOCABULARY.lowercase_labels)


def _compile_pattern(pattern: str) -> re.Pattern[str]:
    labels = {"start_label": f"(?P<start>{LABEL})", "end_label": f"(?P<end>{LABEL})"}
    for name, value in (labels | {"lowercase_label": LOWERCASE_LABEL}).items():
        pattern = pattern.replace(f"{{{name}}}", value)
    return re.compile(pattern)


COMPILED_RULES = tuple((_compile_pattern(it.pattern), it) for it in VOCABULARY.file_rules)


def file_stem(name: str) -> str:
    """The name of a file without folder and suffixes: 'dgidb_targets'."""
    return SUFFIXES.sub("", name.rsplit("/", 1)[-1])


def label_of_file(name: str) -> str | None:
    """The label of the entities in a file: 'smpdb_Pathway.tsv' has pathways."""
    match = ENTITY_FILE_NAME.fullmatch(file_stem(name))
    return VOCABULARY.plurals.get(match["label"], match["label"]) if match else None


def rule_of_file(name: str) -> RelationshipRule | None:
    """The rule for the relationships in a file, by its name."""
    for pattern, rule in COMPILED_RULES:
        if match := pattern.fullmatch(file_stem(name)):
            groups = match.groupdict()
            start = rule.start or _label_of_word(groups.get("start"))
            end = start if rule.end == "=" else rule.end or _label_of_word(groups.get("end"))
            return replace(rule, start=start, end=end)
    return None


def _label_of_word(word: str | None) -> str:
    return VOCABULARY.lowercase_labels.get(word or "", word or "")
