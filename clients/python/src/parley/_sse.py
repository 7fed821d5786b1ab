"""Cuts server-sent events into messages, as the HTML standard says."""

from __future__ import annotations

import codecs
import json
import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Message:
    """One message of a stream."""

    id: str
    """Where to go on after this message, as `last_event_id`."""
    event: str
    text: str

    @property
    def data(self) -> Any:
        """What it says, read from its JSON."""
        return json.loads(self.text)


class Parser:
    """Fields on lines, an empty line ends a message, a comment begins with a colon."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._id = ""
        self._event = ""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[Message]:
        # A carriage return at the very end may be half of a line break, so it waits for what follows.
        whole = self._rest + self._decoder.decode(piece)
        end = len(whole) - 1 if whole.endswith("\r") else len(whole)
        lines = re.split(r"\r\n|\n|\r", whole[:end])
        self._rest = lines.pop() + whole[end:]
        return [message for line in lines if (message := self._take(line)) is not None]

    def _take(self, line: str) -> Message | None:
        if line == "":
            return self._end()
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value
        return None

    def _end(self) -> Message | None:
        data, event = self._data, self._event
        self._data, self._event = [], ""
        return Message(self._id, event or "message", "\n".join(data)) if data else None
