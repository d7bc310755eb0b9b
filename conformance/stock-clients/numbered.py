"""Fails if a generator numbered what the document should name, such as a variant `SessionTokenOneOf10` or a second type `Address1`.

numbered.py GENERATOR FOLDER
"""

import re
import sys
from pathlib import Path

# The names that the files of a generator define.
DEFINED = {
    "typescript-fetch": ("*.ts", r"^export (?:declare |abstract |async )*(?:type|interface|class|function|const|enum) (\w+)"),
    "openapi-python-client": ("*.py", r"^(?:class|def|async def) (\w+)"),
    "go": ("*.go", r"^(?:type|func) (\w+)"),
}
# A payment method, a directive and types of Go: their own names have these numbers.
NAMES = re.compile(r"Przelewy24|Psd2|(?:Int|Float)(?:32|64)")
NUMBERED = re.compile(r"\d|(?:One|Any|All)Of(?![a-z])")

# What is left, by how the name ends. These numbers may only become smaller.
LEFT = {
    # The generator makes a variant of null, and numbers the object beside it. It has the name of its member. A schema of its own
    # with `NoValue` beside it gets no number.
    "openapi-python-client": {"Type0": 184},
}


def defined(generator: str, folder: Path) -> set[str]:
    files, pattern = DEFINED[generator]
    return {name for path in folder.rglob(files) for name in re.findall(pattern, path.read_text(), re.MULTILINE)}


def main(generator: str, folder: str) -> None:
    names = defined(generator, Path(folder))
    if len(names) < 500:
        sys.exit(f"{generator}: only {len(names)} names were found in {folder}")
    numbered = {name for name in names if NUMBERED.search(NAMES.sub("", name))}
    for end, most in LEFT.get(generator, {}).items():
        left = {name for name in numbered if name.endswith(end) and not NUMBERED.search(NAMES.sub("", name.removesuffix(end)))}
        numbered -= left
        if len(left) > most:
            sys.exit(
                f"{generator}: {len(left)} names end in {end}, and {most} may. Name the schemas: {', '.join(sorted(left))}"
            )
        if len(left) < most:
            sys.exit(
                f"{generator}: only {len(left)} names still end in {end}: write that into {Path(__file__).name}, instead of {most}"
            )
    if numbered:
        sys.exit(f"{generator}: the document should name these: {', '.join(sorted(numbered))}")
    print(f"{generator}: {len(names)} names, {sum(LEFT.get(generator, {}).values())} of them numbered")


main(*sys.argv[1:])
