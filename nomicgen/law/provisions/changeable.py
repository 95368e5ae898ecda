"""After every change, the check asks whether the present players could go on changing rules by votes for ever. If not,
the change is refused (`change-ossifies`). The check tries every order of changes, each under the law that the earlier
ones make. If there are too many to try, the answer is yes. If rules could only be transmuted from then on, there is a
warning (`change-transmutes-only`). With `texts`, a change is also refused if no text could ever be changed again.
"""

from __future__ import annotations

from typing import Literal

from nomicgen.law.judging_kind import JudgingKind
from nomicgen.law.kind import Provision
from nomicgen.law.replay.lasting_changes import ossification
from nomicgen.law.sentences import by_field
from nomicgen.model.file_model import described

EXAMPLES = """\
- case: Without the rule that says how changes are adopted, nobody could change anything.
  provisions:
    changeable: always
  does: "## Repeal Rule 202/0"
  gives:
    - "change-ossifies: after this, votes could change rules a few times at most, and then never again, and Rule 201
      forbids that"
"""


class Changeable(Provision):
    """A change after which votes could not change the rules for ever is refused; written `always`, or `texts`."""

    when: Literal["always", "texts"] = described("what must stay possible: some change, or one of a text")


_WORDS = {
    "when": {
        "always": "a change after which no vote could ever change any rule again is refused",
        "texts": "a change after which no vote could ever amend or enact a rule is refused",
    }
}

KIND = JudgingKind(schema=Changeable, sentence=by_field(_WORDS), combines="fields", by_word=True, leaves=ossification)
