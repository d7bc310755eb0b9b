"""Files beside the source: the README and the guide, whose snippets the stories run, and the licences."""

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


def test_each_call_of_the_guide_for_people_who_come_from_another_client_is_in_a_story() -> None:
    guide = (ROOT.parents[1] / "server/docs/guides/coming-from-elsewhere.md").read_text()
    [section] = re.findall(r"^## From Stripe's client for Python\n(.*?)^## ", guide, re.DOTALL | re.MULTILINE)
    calls = re.findall(r"^\| `[^|]*` \| `([^|]*)` \|", section, re.MULTILINE)
    assert len(calls) >= 10
    assert len(calls) == section.count("\n| `"), "each row has a call"
    habits = (ROOT / "story/habits.py").read_text()
    for call in calls:
        assert call in habits, call


def test_the_package_has_the_licences_of_the_repository() -> None:
    for name in ("LICENSE-APACHE", "LICENSE-MIT"):
        assert (ROOT / name).read_bytes() == (ROOT.parents[1] / name).read_bytes()
