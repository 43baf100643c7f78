#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the links and pictures of the documents lead to files, also to their headings, and whether
README.md leads to every document.

    links.py ROOT

A page that no other page links is not read, so each page below docs/ must be reachable from
README.md. README.md and docs/life_of_a_call.md link each design page themselves.
"""

import pathlib
import re
import sys
import xml.etree.ElementTree

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def without_code(page):
    return re.sub(r"`[^`]*`", "", FENCE.sub("", page.read_text(encoding="utf-8")))


def anchors_of(page):
    """The names that GitHub gives to headings."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links_of(page):
    for target in LINK.findall(without_code(page)):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield target, (page.parent / path).resolve() if path else page, anchor


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    pages = [page for page in [*root.glob("*.md"), *root.glob("*/*.md"), *root.glob("docs/**/*.md")] if "build" not in page.relative_to(root).parts]
    found, links = [], {}
    for page in sorted(set(pages)):
        links[page] = set()
        for target, file, anchor in links_of(page):
            links[page].add(file)
            if not file.exists():
                found.append(f"{page.relative_to(root)}: {target} does not exist")
            elif anchor and file.suffix == ".md" and anchor not in anchors_of(file):
                found.append(f"{page.relative_to(root)}: {target}: no such heading")
    reached, to_do = set(), [root / "README.md"]
    while to_do:
        page = to_do.pop()
        reached.add(page)
        to_do += [file for file in links.get(page, ()) if file not in reached and file.suffix == ".md"]
    found += [f"no link leads from README.md to {page.relative_to(root)}" for page in sorted(set(pages) - reached) if page.is_relative_to(root / "docs")]
    for page in ("README.md", "docs/life_of_a_call.md"):
        found += [f"{page} does not link {design.relative_to(root)}" for design in sorted(root.glob("docs/design/*.md"))
                  if design.name != "README.md" and design not in links.get(root / page, ())]
    for picture in root.glob("docs/images/*.svg"):
        xml.etree.ElementTree.parse(picture)
    print("\n".join(found or [f"links: {sum(map(len, links.values()))} links of {len(links)} pages hold"]))
    return bool(found)


sys.exit(main())
