#!/usr/bin/env python3
"""Checks that the files of a folder form no circle: neither by includes nor by calls.

usage: scripts/circles.py              fails when a folder that has no circle today has one, or docs/architecture.md shows
                                       the files of src/engine or src/rpc in an order that is not theirs
       scripts/circles.py --order rpc  prints the files of src/rpc, the lowest first: each uses only files of lines above

NAME.c and NAME.h count as one file, NAME. Where several .c files define the same names, of which the build takes one,
they count as one file together with the header that they implement: that whose name theirs begin with. A file uses
another when it includes its header or names a function or a variable that the other's .c defines. A lower file tells an
upper one something through a table of callbacks, which the upper one fills in.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The folders that must stay free of circles. A folder joins them when its last circle is opened.
FREE = ["base", "mem", "type", "wkt", "codec", "gen", "engine", "port", "rpc", "graph"]

COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.M)
# At the start of a line: what a .c offers to others. Formatted code has no other text there.
FUNCTION = re.compile(r"^(?!static\b|typedef\b|extern\b|struct \w+ \{|enum\b|union\b|return\b|#)[A-Za-z_][\w \*]*?[ \*](\w+)\([^;{}]*\)\s*\{", re.M)
VARIABLE = re.compile(r"^(?!static\b|typedef\b|extern\b|return\b|#)[A-Za-z_][\w \*]*?[ \*](\w+)(?:\[\w*\])?(?: __attribute__\(\(.*?\)\))?(?: = [^;]*)?;", re.M)
NAME = re.compile(r"\b[A-Za-z_]\w*\b")


def code_of(path):
    return COMMENT_OR_STRING.sub(" ", path.read_text())


class File:
    def __init__(self, name):
        self.name, self.text, self.includes, self.defines, self.uses = name, "", set(), set(), {}


def names_of_files(folder):
    """The name that each .c and .h counts by: its stem, or for one of several implementations of a header that header's."""
    stems = {path.stem for path in folder.glob("*.h")}
    defined_by = {}
    for path in folder.glob("*.c"):
        code = code_of(path)
        for name in set(FUNCTION.findall(code)) | set(VARIABLE.findall(code)):
            defined_by.setdefault(name, set()).add(path.stem)
    twins = {stem for stems_of_name in defined_by.values() if len(stems_of_name) > 1 for stem in stems_of_name} - stems
    return {path.stem: max((stem for stem in stems if path.stem in twins and path.stem.startswith(stem + "_")),
                           key=len, default=path.stem) for path in folder.glob("*.[ch]")}


def read(folder):
    files, names = {}, names_of_files(folder)
    for path in sorted(folder.glob("*.[ch]")):
        file = files.setdefault(names[path.stem], File(names[path.stem]))
        file.includes |= {pathlib.Path(name).stem for name in INCLUDE.findall(path.read_text())
                          if name.split("/")[0] == folder.name or "/" not in name}
        code = code_of(path)
        file.text += code
        if path.suffix == ".c":
            file.defines |= set(FUNCTION.findall(code)) | set(VARIABLE.findall(code))
    owner = {name: file for file in files.values() for name in file.defines}
    for file in files.values():
        for other in file.includes & files.keys() - {file.name}:
            file.uses.setdefault(other, set()).add(f'"{other}.h"')
        for name in set(NAME.findall(file.text)) & owner.keys():
            if owner[name] is not file:
                file.uses.setdefault(owner[name].name, set()).add(name)
    return files


def reached(files, start):
    """The files that `start` uses, straight or through others."""
    seen, todo = set(), [start]
    while todo:
        for other in files[todo.pop()].uses:
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def circles(files):
    reach = {name: reached(files, name) for name in files}
    together = {frozenset({name} | {other for other in reach[name] if name in reach[other]}) for name in files if name in reach[name]}
    return sorted(map(sorted, together))


def report(folder, files):
    for circle in circles(files):
        yield f"src/{folder}: a circle of {len(circle)} files: {', '.join(circle)}"
        for name in circle:
            for other in sorted(files[name].uses.keys() & set(circle)):
                yield f"  {name} uses {', '.join(sorted(files[name].uses[other]))} of {other}"


def order(files):
    """Lines of files, each of which uses only files of lines before."""
    done, left = set(), set(files)
    while left:
        line = sorted(name for name in left if files[name].uses.keys() <= done)
        if not line:
            yield "in a circle: " + " ".join(sorted(left))
            return
        yield " ".join(line)
        done |= set(line)
        left -= set(line)


def described(folder, files):
    """What docs/architecture.md says wrongly of the order of a folder's files: its table has each file once, above those
    that use it. Row "4 to 6" is three lines, whose files go in the order of the row."""
    text = (ROOT / "docs/architecture.md").read_text()
    text = text[text.index(f"Inside `src/{folder}` the files form no circle"):]
    rows = re.search(r"\| line \| files \|\n\|[-|]+\|\n((?:\|.*\n)+)", text).group(1).splitlines()
    place = {}
    for row in rows:
        first, cell = re.match(r"\| (\d+)(?: to \d+)? \| (.*) \|", row).groups()
        for step, group in enumerate(cell.split(";") if " to " in row.split("|")[1] else [cell]):
            for name in re.findall(r"`(\w+)`", re.sub(r"\([^()]*\)", "", group)):
                if name in place:
                    yield f"docs/architecture.md: {name} is in the table of src/{folder} twice"
                place[name] = int(first) + step / 10
    for name in sorted(files.keys() ^ place.keys()):
        yield f"docs/architecture.md: {name} is {'not ' if name in files else ''}in the table, {'but' if name in files else 'and not'} in src/{folder}"
    for name in sorted(files.keys() & place.keys()):
        for other in sorted(files[name].uses.keys() & place.keys()):
            if place[other] >= place[name]:
                yield f"docs/architecture.md: {name} of src/{folder} uses {other}, which is not above it in the table"


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--order":
        print("\n".join(order(read(ROOT / "src" / sys.argv[2]))))
        return 0
    if len(sys.argv) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    problems = [line for folder in FREE for line in report(folder, read(ROOT / "src" / folder))]
    problems += [line for folder in ["engine", "rpc"] for line in described(folder, read(ROOT / "src" / folder))]
    print("\n".join(problems) if problems else f"circles: none in {', '.join(FREE)}")
    return 1 if problems else 0


sys.exit(main())
