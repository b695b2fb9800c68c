"""Whatever a server may say: values of any message type, right in every type and bound, wrong in everything else."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st
from msgspec import inspect

SMALL = 12


@st.composite
def anything(draw: st.DrawFn, kind: Any) -> Any:
    """Values of a type as the wire lets them through."""
    return draw(_of_kind(kind))


@cache
def _of_kind(kind: Any) -> st.SearchStrategy[Any]:
    return _of(inspect.type_info(kind))


def _of(info: inspect.Type) -> st.SearchStrategy[Any]:
    if isinstance(info, inspect.StructType):
        fields = {field.name: _of(field.type) for field in info.fields}
        return st.builds(info.cls, **fields)
    if isinstance(info, inspect.IntType):
        least = info.ge if info.ge is not None else -(1 << 62)
        most = info.le if info.le is not None else 1 << 62
        # Mostly such numbers as may mean something: seats, slots, cards.
        near = st.integers(max(least, -2), max(least, min(most, SMALL)))
        return near | near | st.integers(least, most)
    if isinstance(info, inspect.VarTupleType):
        item = _of(info.item_type)
        most = info.max_length or 0
        # Mostly such lengths as a table of two, three or four has.
        return st.one_of(
            st.tuples(item, item),
            st.tuples(*[item] * min(most, 3)),
            st.tuples(*[item] * min(most, 4)),
            st.tuples(*[item] * min(most, 5)),
            st.lists(item, max_size=min(most, SMALL)).map(tuple),
        )
    if isinstance(info, inspect.TupleType):
        return st.tuples(*map(_of, info.item_types))
    if isinstance(info, inspect.StrType):
        return st.text(max_size=min(info.max_length or SMALL, SMALL))
    if isinstance(info, inspect.BytesType):
        return st.binary(min_size=info.min_length or 0, max_size=info.max_length or SMALL)
    if isinstance(info, inspect.BoolType):
        return st.booleans()
    if isinstance(info, inspect.NoneType):
        return st.none()
    if isinstance(info, inspect.LiteralType):
        return st.sampled_from(info.values)
    assert isinstance(info, inspect.UnionType), info
    return st.one_of([_of(one) for one in info.types])
