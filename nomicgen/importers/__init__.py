"""Text that comes in: rulesets that were kept elsewhere, as files of a game. Pure."""
