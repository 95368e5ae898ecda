"""Views over a replay: each rule's history, references between texts, where each revision came from."""
