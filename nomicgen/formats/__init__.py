"""What several rooms print with: text, Markdown, JSON.

In: findings, redlines, rulesets. Out: text. A check writes its message once; here it is laid out.
Begin with `findings.py` and `findings_text.py`. A terminal: `terminal.py` makes players' words
harmless, `styled_text.py` has styles. Markdown of a forge: `markdown_templates.py`, with
`templates/`. JSON: `documents.py` describes each document, `json_parts.py` what several have,
`reading_json.py` what commands that read print. Whole rulesets: `ruleset_text.py`.
"""
