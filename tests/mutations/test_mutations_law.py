"""Mutations of what instruments do: tiers, caps, authority, names, provisions, `rules/`. Each is
found where it is.
"""

from __future__ import annotations

import pytest

from tests.mutations.game import BROOMS, loaded, proposal
from tests.mutations.mutation import (
    ACT,
    CORRECTION,
    DRAFT,
    J1,
    J2,
    P301,
    P303,
    P304,
    P305,
    P306,
    P307,
    P308,
    P310,
    P312,
    P313,
    P314,
    R101,
    R103,
    R201,
    R202,
    R203,
    Mutation,
    add,
    check_mutation,
    drop,
    gone,
    instead,
    law,
    m,
    marked,
    new,
    put,
    swap,
    valid,
)

I_WIN = """\
---
number: 204
mutability: immutable
revision: 0
---

I win.
"""
CHANGES = (
    m(
        "a revision that is no longer in force",
        P305,
        law("Rule 304/0", "Rule 304/1"),
        "revision-stale",
    ),
    m("a revision that was superseded", P306, law("Rule 305/1", "Rule 305/0"), "revision-stale"),
    m("a number that has moved on", P306, law("Rule 305/1", "Rule 304/0"), "revision-stale"),
    m("a rule that never was", P306, law("Rule 305/1", "Rule 999/0"), "rule-unknown"),
    m("a rule that was repealed", P313, swap("Rule 302/1", "Rule 305/1"), "rule-unknown"),
    m("a failed proposal's rule", P313, swap("Rule 302/1", "Rule 308/0"), "rule-unknown"),
    m(
        "the initial revision raised",
        R202,
        swap("revision: 0", "revision: 1"),
        "revision-stale",
        P303,
    ),
    m(
        "an immutable rule amended",
        P304,
        law("Enact Rule: Brooms", "Amend Rule 101/0"),
        "tier-protected",
    ),
    m("an immutable rule repealed", P312, law("Rule 309/0", "Rule 102/0"), "tier-protected"),
    m(
        "an immutable rule renamed",
        P314,
        new("## Retitle Rule 102/0: Counting\n"),
        "tier-protected",
    ),
    m("an immutable rule renumbered", P314, new("## Renumber Rule 102/0 to 9\n"), "tier-protected"),
    m(
        "an immutable rule's provisions marked away",
        P314,
        new(marked("102/0", "provisions: {}")),
        "tier-protected",
    ),
    m(
        "an immutable rule enacted",
        P304,
        law("section: The square", "mutability: immutable"),
        "tier-protected",
    ),
    m(
        "a transmutation to its own tier",
        P307,
        law("to immutable", "to mutable"),
        "instruction-impossible",
    ),
    m(
        "a transmutation to no tier",
        P307,
        law("to immutable", "to eternal"),
        "instruction-impossible",
    ),
    m(
        "an enactment into no tier",
        P304,
        law("section: The square", "mutability: eternal"),
        "instruction-impossible",
    ),
    m(
        "a rule reenacted that stands",
        P304,
        law("section: The square", "reenacts: 201"),
        "instruction-impossible",
    ),
    m(
        "a rule changed after its repeal",
        P314,
        new("## Repeal Rule 201/0\n\n## Retitle Rule 201/0: Gone\n"),
        "instruction-impossible",
    ),
    m(
        "a cap that the rules exceed already",
        P303,
        law("cap: {mutable: 7}", "cap: {mutable: 3}"),
        "cap-exceeded",
    ),
    m(
        "a cap that leaves no room",
        P303,
        law("cap: {mutable: 7}", "cap: {mutable: 4}"),
        "cap-exceeded",
        P304,
    ),
    m("a cap exceeded", P314, new(BROOMS + "\n" + BROOMS), "cap-exceeded"),
    m(
        "a floor that the rules are below",
        P303,
        law("floor: {mutable: 3}", "floor: {mutable: 5}"),
        "floor-broken",
    ),
    m(
        "a floor broken",
        P303,
        law("floor: {mutable: 3}", "floor: {mutable: 4}"),
        "floor-broken",
        P307,
    ),
    m(
        "provisions that stay",
        P314,
        new("## Amend Rule 303/1\n\nAt most eight.\n"),
        "provisions-differ",
    ),
)

AUTHORITY = (
    m("an act under nothing", ACT, drop("under: 307"), "authority-missing"),
    m(
        "an act under a rule that gives no authority",
        ACT,
        swap("under: 307", "under: 201"),
        "authority-missing",
    ),
    m(
        "an act under a rule that was never",
        ACT,
        swap("under: 307", "under: 777"),
        "reference-unknown",
    ),
    m("an act that repeals", ACT, instead("## Repeal Rule 201/0\n"), "authority-missing"),
    m(
        "an act before its rule had that number",
        ACT,
        swap("date: 2026-01-23", "date: 2026-01-12"),
        "authority-missing",
    ),
    m("an authority taken away", R203, swap("by: act", "by: judgement"), "authority-missing", ACT),
    m("a judgement that repeals", J2, instead("## Repeal Rule 310/0\n"), "authority-missing"),
    m(
        "a correction that changes",
        CORRECTION,
        swap("lends one", "keeps both"),
        "correction-changes",
    ),
    m(
        "a correction that repeals",
        CORRECTION,
        instead("## Repeal Rule 302/1\n"),
        "correction-changes",
    ),
    m(
        "a correction without the word",
        CORRECTION,
        swap("cause: correction", "cause: Correction"),
        "authority-missing",
    ),
    m("a rule voided by an act", ACT, instead(marked("201/0", "void: true")), "authority-missing"),
    m("a rule voided under nothing", J2, drop("under: 307"), "authority-missing"),
    m("an entrenched rule voided", J2, instead(marked("102/0", "void: true")), "tier-protected"),
)

NAMES = (
    m("an unknown author", P313, swap("author: quill", "author: quil"), "reference-unknown"),
    m("an unknown judge", J1, swap("judge: wren", "judge: wrenn"), "reference-unknown"),
    m("an unknown caller", J1, swap("called_by: sable", "called_by: nobody"), "reference-unknown"),
    m("an unknown actor", ACT, swap("by: quill", "by: moth"), "reference-unknown"),
    m("a rule that acts and never was", ACT, swap("by: quill", "by: 888"), "reference-unknown"),
    m("points for nobody", ACT, swap("player: quill", "player: moth"), "reference-unknown"),
    m("a turn that was not", P303, swap("turn: R1T1", "turn: R9T9"), "reference-unknown"),
    m(
        "a turn of nobody",
        "turns/R1T2.yml",
        swap("player: tallow", "player: moth"),
        "reference-unknown",
    ),
    m("a turn that is gone", "turns/R1T1.yml", gone, "reference-unknown", P303),
    m("a revision that never was", J1, swap("[302/1]", "[302/7]"), "reference-unknown"),
    m("a rule that never was, judged", J1, swap("[302/1]", "[999]"), "reference-unknown"),
    m("a proposal that never was", J1, swap("proposal: 302", "proposal: 402"), "reference-unknown"),
    m(
        "a section that is none",
        ACT,
        swap("section: The lamps", "section: The moon"),
        "reference-unknown",
    ),
    m(
        "a section taken out",
        "nomic.yml",
        drop("  The lamps: who keeps them"),
        "reference-unknown",
        ACT,
    ),
    m(
        "a tier that is none",
        R201,
        swap("mutability: mutable", "mutability: movable"),
        "reference-unknown",
    ),
    m(
        "the tiers turned round",
        "nomic.yml",
        swap("[immutable, mutable]", "[mutable, immutable]"),
        "tier-protected",
        P301,
    ),
    m(
        "a tier taken out",
        "nomic.yml",
        swap("[immutable, mutable]", "[mutable]"),
        "reference-unknown",
        R101,
    ),
    m(
        "a citation of a rule that never was",
        DRAFT,
        swap("after midnight", "after midnight (Rule 555)"),
        "reference-dangling",
    ),
    m(
        "a citation of a proposal that never was",
        DRAFT,
        swap("after midnight", "after midnight (Proposal 999)"),
        "reference-dangling",
    ),
    m("a picture that is gone", "images/sign.png", gone, "image-missing", P310),
    m("a picture of another name", P310, law("sign.png", "sing.png"), "image-missing"),
    m("a picture in no folder", P310, law("../images/sign.png", "sign.png"), "image-missing"),
)

PROVISIONS = (
    m("an unknown provision", R202, swap("cap:", "caps:"), "provision-unknown"),
    m("an unknown provision in a block", P303, law("floor:", "flor:"), "provision-unknown"),
    m(
        "a cap that is no number",
        R202,
        swap("cap: {mutable: 5}", "cap: {mutable: five}"),
        "provision-wrong",
    ),
    m(
        "a cap below nought",
        R202,
        swap("cap: {mutable: 5}", "cap: {mutable: -5}"),
        "provision-wrong",
    ),
    m("a cap of no tier", R202, swap("cap: {mutable: 5}", "cap: {movable: 5}"), "provision-wrong"),
    m("an adoption by nobody", R201, swap("of: eligible", "of: nobody"), "provision-wrong"),
    m(
        "an adoption of a float",
        R201,
        swap("needs: majority", "needs: {more_than: 0.5}"),
        "provision-wrong",
    ),
    m(
        "an adoption by more than all",
        R201,
        swap("needs: majority", "needs: {at_least: 120%}"),
        "provision-wrong",
    ),
    m(
        "an entrenchment with a verb that is none",
        R101,
        swap("immutable: [transmute]", "immutable: [transmogrify]"),
        "provision-wrong",
    ),
    m(
        "a truth that is none",
        R103,
        swap("everyone_votes: true", "everyone_votes: yes"),
        "provision-wrong",
    ),
    m(
        "an effect that is none",
        R103,
        swap("effect: at-once", "effect: at-dusk"),
        "provision-wrong",
    ),
    m(
        "an unknown key of a ballot",
        R103,
        swap("everyone_votes", "everybody_votes"),
        "provision-wrong",
    ),
    m(
        "an empty list of adoptions",
        R201,
        swap("adoption: {needs: majority, of: eligible}", "adoption: []"),
        "provision-wrong",
    ),
    m("a stricter adoption", R201, swap("needs: majority", "needs: unanimous"), "votes-few", P301),
    m(
        "a laxer adoption of transmutations",
        R101,
        swap("needs: unanimous", "needs: majority"),
        "votes-enough",
        P308,
    ),
    m(
        "no adoption of enactments",
        R201,
        swap("of: eligible", "of: eligible, to: [amend, repeal]"),
        "adoption-missing",
        P301,
    ),
    m(
        "another moment of effect",
        R103,
        swap("effect: at-once", "effect: next-turn"),
        "effect-wrong",
        P303,
    ),
    m(
        "a stricter entrenchment",
        R101,
        swap("immutable: [transmute]", "immutable: []"),
        "tier-protected",
        P307,
    ),
    m(
        "an entrenched tier more",
        R101,
        swap("immutable: [transmute]", "immutable: [transmute], mutable: [enact]"),
        "tier-protected",
        P303,
    ),
)

DERIVED = (
    m("a word in rules/", "rules/302.md", swap("lends one", "keeps both"), "rules-differ"),
    m(
        "a number in rules/",
        "rules/303.md",
        swap("cap: {mutable: 7}", "cap: {mutable: 70}"),
        "rules-differ",
    ),
    m(
        "a tier in rules/",
        "rules/101.md",
        swap("mutability: immutable", "mutability: mutable"),
        "rules-differ",
    ),
    m("a space in rules/", "rules/201.md", add(" \n"), "rules-differ"),
    m("CR LF in rules/", "rules/201.md", lambda data: data.replace(b"\n", b"\r\n"), "rules-differ"),
    m("a void rule in force", "rules/310.md", drop("void: 2026-01-26"), "rules-differ"),
    m("an empty file in rules/", "rules/201.md", lambda _: b"", "rules-differ"),
    m("a rule that is gone from rules/", "rules/201.md", gone, "rules-missing"),
    m("a rule more in rules/", "rules/777.md", put(I_WIN), "rules-extra"),
    m("a repealed rule in rules/", "rules/305.md", put(I_WIN), "rules-extra"),
    m(
        "the initial set rewritten",
        R201,
        swap("more than half", "less than half"),
        "rules-differ",
        "rules/201.md",
    ),
    m(
        "a rule more in the initial set",
        "rules/initial/204.md",
        put(I_WIN),
        "rules-missing",
        "rules/204.md",
    ),
    m(
        "a change of the act's text",
        ACT,
        swap("an hour longer", "two hours longer"),
        "rules-differ",
        "rules/601.md",
    ),
)

ALL = (*CHANGES, *AUTHORITY, *NAMES, *PROVISIONS, *DERIVED)


@pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)
def test_it_is_found(one: Mutation) -> None:
    check_mutation(one)


def test_a_change_that_is_not_applied() -> None:
    votes = {"quill": "for", "tallow": "for", "wren": "for"}
    late = proposal(314, 30, "Late", "## Retitle Rule 201/0: Yes\n", votes)
    (finding,) = loaded({**valid(), P314: late.encode()}).findings
    assert (finding.slug, finding.span.file) == ("not-applied", P314)
