# SPDX-License-Identifier: GPL-3.0-or-later
"""Options that are written NAME=VALUE,... and may be repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..errors import unknown_name


def named_values(texts: Sequence[str], fields: Mapping[str, str], kind: str) -> Iterator[tuple[str, str, str]]:
    """Field, value and the whole part, as texts, of everything in texts such as "apart=0.4,steps=0"; `fields` are by the names
    that are written. Raises InputError for a name that is not known, as a `kind` of thing."""
    for part in (piece.strip() for piece in ",".join(texts).split(",")):
        if not part:
            continue
        option, _, text = (piece.strip() for piece in part.partition("="))
        if option not in fields:
            raise unknown_name(kind, option, fields)
        yield fields[option], text, part
