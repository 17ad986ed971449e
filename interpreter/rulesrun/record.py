"""`@record`: frozen, slotted classes of typed fields that cost next to nothing to define.

In: a class of annotated fields, as for `dataclasses.dataclass(frozen=True, slots=True)`. Out: the same class to use, to
compare, to match and to type-check. The standard decorator compiles six functions for each class as its module is
imported, half a millisecond a class; this package has two hundred of them, and `rulesrun FILE` should answer
before a person notices. Here `__init__` is compiled when the first instance is made, and everything else is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, TypeVar, dataclass_transform

T = TypeVar("T")


class Missing:
    """Stands for a default that is not there; there is one, `MISSING`."""

    __slots__ = ()


MISSING: Final = Missing()


class Field:
    """What a field is beside its type; made by `field`."""

    __slots__ = ("compare", "default", "default_factory", "repr")

    def __init__(self, default: object, default_factory: object, repr: bool, compare: bool) -> None:
        self.default = default
        self.default_factory = default_factory
        self.repr = repr
        self.compare = compare


class FrozenRecordError(AttributeError):
    """An attempt to change a record."""


def field(*, default: Any = MISSING, default_factory: Any = MISSING, repr: bool = True, compare: bool = True) -> Any:
    """A field with a default (made anew by `default_factory`), or one that is not shown or not compared."""
    return Field(default, default_factory, repr, compare)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: type[T]) -> type[T]:
    """The class with its annotations made fields: frozen, slotted, compared and hashed by the fields with `compare`."""
    own = cls.__annotations__
    fields: dict[str, Any] = dict(getattr(cls, "__record_fields__", {}))
    namespace = {name: value for name, value in cls.__dict__.items() if name not in ("__dict__", "__weakref__")}
    fields.update({name: namespace.pop(name, MISSING) for name in own})
    compared = tuple(name for name, default in fields.items() if not isinstance(default, Field) or default.compare)
    namespace |= {
        "__slots__": tuple(own),
        "__match_args__": tuple(fields),
        "__record_fields__": fields,
        "__record_key__": staticmethod(attrgetter(*compared)) if compared else staticmethod(lambda each: ()),
        "__qualname__": cls.__qualname__,
        "__init__": _first_init,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
        "__reduce__": _reduce,
    }
    for name, method in (("__eq__", _eq), ("__hash__", _hash), ("__repr__", _repr)):
        if name not in cls.__dict__ or cls.__dict__[name] is None:
            namespace[name] = method
    kind: Any = type(cls)
    made: type[T] = kind(cls.__name__, cls.__bases__, namespace)
    return made


def field_names(each: object) -> tuple[str, ...]:
    """The names of a record's fields, in order."""
    names: tuple[str, ...] = type(each).__match_args__  # type: ignore[attr-defined]
    return names


def changed(each: T, **fields: Any) -> T:
    """A copy of a record in which these fields have other values."""
    return type(each)(**{name: getattr(each, name) for name in field_names(each)} | fields)


def _first_init(self: Any, *args: Any, **named: Any) -> None:
    """Compiles the `__init__` of the instance's class, puts it in place and runs it."""
    cls = type(self)
    scope: dict[str, Any] = {"_put": object.__setattr__, "_MISSING": MISSING}
    head, body = [], []
    for name, default in cls.__record_fields__.items():
        factory = default.default_factory if isinstance(default, Field) else MISSING
        value = default.default if isinstance(default, Field) else default
        scope |= {f"_default_{name}": value, f"_make_{name}": factory}
        if factory is not MISSING:
            head.append(f"{name}=_MISSING")
            body.append(f" _put(self, {name!r}, _make_{name}() if {name} is _MISSING else {name})")
            continue
        head.append(name if value is MISSING else f"{name}=_default_{name}")
        body.append(f" _put(self, {name!r}, {name})")
    exec(f"def __init__(self, {', '.join(head)}):\n" + ("\n".join(body) or " pass"), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    cls.__init__ = init
    init(self, *args, **named)


def _refuse(self: object, name: str, value: object = None) -> None:
    raise FrozenRecordError(f"cannot change field {name!r} of a record")


def _reduce(self: object) -> tuple[type, tuple[object, ...]]:
    return type(self), tuple(getattr(self, name) for name in field_names(self))


def _eq(self: Any, other: Any) -> Any:
    if type(other) is not type(self):
        return NotImplemented
    return self.__record_key__(self) == self.__record_key__(other)


def _hash(self: Any) -> int:
    return hash(self.__record_key__(self))


def _repr(self: object) -> str:
    fields: dict[str, Any] = type(self).__record_fields__  # type: ignore[attr-defined]
    named = [name for name, default in fields.items() if not isinstance(default, Field) or default.repr]
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in named)
    return f"{type(self).__qualname__}({shown})"
