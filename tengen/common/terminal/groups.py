"""Groups of options: a dataclass whose fields are options of a command.

`@takes("how", Execution)` adds the options of the group `Execution` to a command, which then gets
one argument, `how`, instead of one for each option.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import field, fields
from typing import Any

from tengen.common.terminal import commands

_Command = Callable[..., Any]


def option(*names: str, **attributes: Any) -> Any:
    """A field of a group: the option of these names, with the attributes of `commands.option`."""
    if attributes.get("multiple"):
        default: Any = ()
    else:
        default = attributes.get("default", False if attributes.get("is_flag") else None)
    return field(default=default, metadata={"names": names, "attributes": attributes})


def takes(
    argument: str, group: type[Any], *only: str, **changes: Mapping[str, Any]
) -> Callable[[_Command], _Command]:
    """Adds the options of a group to a command, which gets them as one value of the group.

    argument  the name of the command's argument.
    only      the fields that become options; without them all do. The others keep their defaults.
    changes   other attributes of `commands.option`, by field.
    """
    chosen = [each for each in fields(group) if each.name in only or not only]

    def decorate(command: _Command) -> _Command:
        @functools.wraps(command)
        def grouped(*args: Any, **given: Any) -> Any:
            values = {each.name: given.pop(each.name) for each in chosen}
            return command(*args, **given, **{argument: group(**values)})

        # Decorators nearest to the function come last in the help.
        for each in reversed(chosen):
            attributes = {**each.metadata["attributes"], **changes.get(each.name, {})}
            grouped = commands.option(*each.metadata["names"], each.name, **attributes)(grouped)
        return grouped

    return decorate
