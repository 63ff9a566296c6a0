"""Options that several commands share are said once, as the fields of a dataclass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def spliced(function: Callable[..., None]) -> Callable[..., None]:
    """The command whose options are those of `function`, bundles opened.

    A bundle is a parameter whose type is a dataclass: each field is an option of its own, where the
    bundle stands, and `function` gets the dataclass that they make.
    """
    parameters = signature(function, eval_str=True).parameters.values()
    bundles: dict[str, Any] = {
        p.name: p.annotation for p in parameters if is_dataclass(p.annotation)
    }

    @wraps(function)
    def command(**given: Any) -> None:
        for name, bundle in bundles.items():
            given[name] = bundle(**{each.name: given.pop(each.name) for each in fields(bundle)})
        function(**given)

    options = [option for parameter in parameters for option in _opened(parameter)]
    command.__signature__ = Signature(options)  # type: ignore[attr-defined]  # typer looks there
    command.__annotations__ = {option.name: option.annotation for option in options}
    return command


def _opened(parameter: Parameter) -> Iterator[Parameter]:
    if not is_dataclass(bundle := parameter.annotation):
        yield parameter.replace(kind=Parameter.KEYWORD_ONLY)
        return
    hints = get_type_hints(bundle, include_extras=True)
    for each in fields(bundle):
        yield Parameter(
            each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
        )
