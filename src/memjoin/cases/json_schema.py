"""The JSON schema of a case: what one line of a file of cases holds, for tools in any language.

It is made from the types of ``schema`` and published as ``data/case.schema.json``. Whether places and
statements fit the text is beyond a schema; that is what `memjoin cases lint` checks.
"""

from __future__ import annotations

import inspect
import json
from dataclasses import MISSING, fields
from importlib import resources
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from memjoin.cases.schema import Case, Session, Span
from memjoin.cases.wellformed import ID

Json: TypeAlias = dict[str, Any]

_TEXT: Json = {"type": "string", "pattern": "^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$"}
_PLAIN: dict[Any, str] = {bool: "boolean", int: "integer"}
_SPAN: Json = {
    "type": "array",
    "description": "A place in the text, [session, turn, start, end]: from 0, in characters, end exclusive.",
    "items": {"type": "integer"},
    "minItems": 4,
    "maxItems": 4,
}


def published() -> str:
    """Return the text of the published file."""
    return resources.files("memjoin.cases").joinpath("data", "case.schema.json").read_text(encoding="utf-8")


def made() -> str:
    """Return the text that the published file must have: the schema as the types have it now."""
    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"


def schema() -> Json:
    """Return the JSON schema of a case (draft 2020-12)."""
    definitions: dict[str, Json] = {
        "text": {"description": "Text without control characters.", **_TEXT},
        "id": {"type": "string", "pattern": f"^{ID.pattern}$"},
        "span": _SPAN,
    }
    top = _of(Case, definitions)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "MemJoin case",
        **top,
        "$defs": dict(sorted(definitions.items())),
    }


def _of(hint: Any, definitions: dict[str, Json]) -> Json:
    """Return the schema of a type; objects go to the definitions and are referred to."""
    if hint is str:
        return {"$ref": "#/$defs/text"}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if hint is Span:
        return {"$ref": "#/$defs/span"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"enum": list(args)}
    if origin is tuple and args[-1] is Ellipsis:
        return {"type": "array", "items": _of(args[0], definitions)}
    if origin is tuple:
        items = [_of(arg, definitions) for arg in args]
        return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
    if origin in (Union, UnionType):
        return {"anyOf": [_of(arg, definitions) for arg in args]}
    name = hint.__name__.lower()
    if name not in definitions:
        definitions[name] = {}
        definitions[name] = _object(hint, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _object(kind: Any, definitions: dict[str, Json]) -> Json:
    hints = get_type_hints(kind)
    properties = {field.name: _of(hints[field.name], definitions) for field in fields(kind)}
    if kind in (Case, Session):
        properties["id"] = {"$ref": "#/$defs/id"}
    return {
        "type": "object",
        "description": " ".join(inspect.cleandoc(kind.__doc__ or "").split("\n\n")[0].split()),
        "properties": properties,
        "required": [field.name for field in fields(kind) if field.default is MISSING],
        "additionalProperties": False,
    }
