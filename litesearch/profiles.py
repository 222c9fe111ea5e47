"""What kind of document it is, as data: which numbers and words open sections there.

A profile is chosen by the words that speak for it (`profile="auto"`), given by name, or made by a
user: `build_tree(pages, profile=Profile("ours", numbered="clauses", signs=()))`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from .errors import InvalidArgument, InvalidType
from .numbering import LADDER

NUMBERED = ("no", "titles", "clauses")
# Below this many signs in 1,000 words nothing in particular speaks: the general profile.
ENOUGH = 2.0
SAMPLED_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Profile:
    """How the sections of a kind of document are marked.

    `ladder`: the kinds of headings from the outside in; kinds of one tuple share a level, and kinds
    that do not occur are left out. `numbered`: what a line that begins with a number ("3.2") is:
    "no" section, one if the rest reads as a title ("titles", where there are no articles), or one
    whenever the number is the next ("clauses": "4.2 The Buyer shall pay ..."). `signs`: patterns
    (regular expressions, case counts) whose matches speak for the profile; `weights` gives those
    that count otherwise than 1.
    """

    name: str
    numbered: str = "titles"
    ladder: tuple[tuple[str, ...], ...] = LADDER
    signs: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.numbered not in NUMBERED:
            raise InvalidArgument(
                f"numbered is {self.numbered!r}; it must be one of {', '.join(NUMBERED)}."
            )
        for sign in self.signs:
            try:
                re.compile(sign)
            except re.error as error:
                raise InvalidArgument(
                    f"The sign {sign!r} of the profile is no regular expression: {error}."
                ) from error


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "eu",
            signs=(
                r"\bMember States?\b", r"\bthis (?:Regulation|Directive|Decision)\b",
                r"\b(?:Regulation|Directive|Decision) \((?:EU|EC|EEC)\)", r"\bOJ [LC]\b",
            ),
        ),
        Profile(
            "us",
            signs=(
                r"\bSEC\. \d+", r"\bUnited States Code\b", r"\bU\.S\.C\.", r"\bthis Act\b",
                r"\bsubsection \([a-z]\)", r"\b(?:Secretary|Administrator|Congress)\b",
            ),
        ),
        Profile(
            "uk",
            "clauses",
            signs=(
                r"\bthese (?:Rules|Regulations)\b", r"\bthis (?:Part|Rulebook|Schedule)\b",
                r"\bRules? \d", r"\bsub-?paragraph \(", r"\bthe Regulator\b", r"\bAuthori[sz]ed\b",
                r"\bGuidance\b", r"\bof the Act\b",
            ),
        ),
        Profile(
            "contract",
            "clauses",
            ladder=(
                ("title", "part", "annex"), ("article",), ("chapter",), ("section",),
                ("subsection",),
            ),
            signs=(
                r"\b(?:[Tt]his|the) (?:Agreement|Contract|Lease)\b", r"\b[Pp]art(?:y|ies)\b",
                r"\bWHEREAS\b", r"\bhere(?:to|of|under|in|by|after|inafter)\b",
                r"\bIN WITNESS WHEREOF\b", r"\b(?:Licens(?:or|ee)|Buyer|Seller|Lessee|Lessor)\b",
                r"\b(?:Supplier|Distributor|Customer|Consultant|Contractor|Company)\b",
            ),
        ),
        Profile(
            "paper",
            "titles",
            signs=(
                r"\bet al\b", r"\b[Ww]e (?:propose|show|present|find|use|evaluate)\b",
                r"\[\d+(?:, ?\d+)*\]", r"\barXiv\b", r"(?m)^\W*(?:Abstract|ABSTRACT|References)\b",
                r"\b(?:Figure|Table|Fig\.) \d",
            ),
        ),
        Profile(
            "manual",
            "titles",
            signs=(
                r"\b(?:[Ii]nstall|[Cc]onfigur|[Cc]lick|[Pp]ress|[Cc]ommand|[Oo]ption)\w*",
                r"(?m)^\W*(?:Note|NOTE|Warning|WARNING|Caution|CAUTION|Step \d)\b", r"`[^`\n]+`",
            ),
            weights={r"`[^`\n]+`": 0.3},
        ),
        Profile("general", "titles"),
        Profile("none", "no"),
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Choice:
    """A profile, and why it was taken."""

    profile: Profile
    why: str


def choose_profile(profile: str | Profile, text: str) -> Choice:
    """The profile of a name, or for "auto" the one that the text's words speak for."""
    if isinstance(profile, Profile):
        return Choice(profile, "given by the caller")
    if not isinstance(profile, str):
        raise InvalidType(f"profile must be a name or a Profile, not {type(profile).__name__}.")
    if profile != "auto":
        if profile not in PROFILES:
            raise InvalidArgument(
                f"There is no profile {profile!r}. There are auto, {', '.join(PROFILES)}."
            )
        return Choice(PROFILES[profile], "named by the caller")
    sample = text[:SAMPLED_CHARACTERS]
    thousand = max(0.3, len(sample) / 6_000)  # of words, at about six characters each
    scores = {name: _score(one, sample) / thousand for name, one in PROFILES.items() if one.signs}
    best, second = sorted(scores, key=lambda name: scores[name], reverse=True)[:2]
    if scores[best] < ENOUGH:
        return Choice(PROFILES["general"], "no kind of document is spoken for by its words")
    return Choice(
        PROFILES[best],
        f"{scores[best]:.1f} of its words in 1,000; the next is {second} with {scores[second]:.1f}",
    )


@cache
def _pattern(sign: str) -> re.Pattern[str]:
    return re.compile(sign)


def _score(profile: Profile, text: str) -> float:
    return sum(
        profile.weights.get(sign, 1.0) * len(_pattern(sign).findall(text)) for sign in profile.signs
    )
