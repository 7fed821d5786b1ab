"""Every endpoint of the document is a method of both clients."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import parley
from conftest import ROOT


@pytest.fixture(autouse=True)
def environment() -> None:
    """No server is needed here."""


@pytest.mark.parametrize("half", ["_sync", "_async"])
def test_every_endpoint_is_reached(half: str) -> None:
    document = json.loads((ROOT / "docs/reference/openapi.json").read_text())
    wanted = {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path)) for path, item in document["paths"].items() for method in item
    }
    source = (Path(parley.__file__).parent / half / "resources.py").read_text()
    reached = re.findall(r'Request\(\s*"([A-Z]+)",\s+(?:path\()?"([^"]+)"', source)
    assert len(wanted) > 200 and set(reached) == wanted


def test_what_is_generated_names_no_method_twice() -> None:
    for resource in vars(parley.Parley(api_key="ak_test_x", base_url="http://127.0.0.1:1")).values():
        source = (Path(parley.__file__).parent / "_sync/resources.py").read_text()
        own = source.split(f"class {type(resource).__name__}(", 1)[-1].split("\nclass ", 1)[0]
        names = re.findall(r"^    def (\w+)", own, re.M)
        assert len(names) == len(set(names)), type(resource).__name__
