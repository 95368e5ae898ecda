"""The JSON Schema of a document: made of the model that the document is made of."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def document_schema(kind: Any, title: str) -> Schema:
    """The schema of what a model, or a list of it, is written as. Every key is there; some may be null."""
    schema = TypeAdapter(kind).json_schema(mode="serialization")
    return {"$schema": DIALECT, "title": title, **_untitled(schema)}


def _untitled(node: Any) -> Any:
    """A schema without made-up titles."""
    if isinstance(node, list):
        return [_untitled(one) for one in node]
    if not isinstance(node, dict):
        return node
    return {key: _untitled(one) for key, one in node.items() if not (key == "title" and isinstance(one, str))}
