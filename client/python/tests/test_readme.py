"""The README, whose snippets the story runs."""

from __future__ import annotations

import re

from support import ROOT


def _flat(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def test_each_snippet_of_the_readme_is_in_the_story() -> None:
    snippets = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(snippets) >= 7
    story = f"\n{_flat((ROOT / 'story/story.py').read_text())}\n"
    for snippet in snippets:
        assert f"\n{_flat(snippet)}\n" in story, snippet
