#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds phrases that make a reader stop, in documents, manual pages, messages and comments.

A page in which every sentence must be read twice is correct and useless. No program can judge a
sentence, but a few phrases are in most of the bad ones: a sentence without a noun for its subject
("Who writes here asks first"), and words that no manual uses in that sense ("is told"). These are
banned, each with what to write instead.

    english.py ROOT            checks the tree; exit 1 and a line for each finding
    english.py ROOT FILE...    checks these files, whether they are in TO_DO or not

Checked are documents and manual pages, the string literals of tools/, recordmcount/, llvm-pass/ and
runtime/ (help texts, errors and the log), and the comments of sources and scripts. Folders that have not been
rewritten yet are in TO_DO. A folder without findings must leave that list, so it only shrinks.
"""

import bisect
import pathlib
import re
import subprocess
import sys

# A phrase and what to write instead. START is the begin of a sentence.
START = r"(?:^|(?<=[.!?:;|] )|(?<=\) ))"
BANNED = [
    (START + r"Who\b(?![^.]*\?)", "a noun: 'A writer that ...'"),
    (START + r"Whose\b(?![^.]*\?)", "a noun: 'The number of the process that ...'"),
    (r"\b[Ww]hoever\b", "a noun: 'any reader that'"),
    (r"\b(?:about|after|as|at|before|behind|by|for|from|in|of|on|than|to|until|with) who\b",
     "a noun: 'for a reader that'"),
    (r"\b(?:is|are|was|were|be|been|being) told\b", "shown, reported, returned"),
    (r"\btells\b", "shows, reports, returns"),
    (r"\bmeanwhile(?=[.,;:)]|$)", "'in the meantime', or a clause with 'while'"),
    (r"\bsomebody\b", "a noun: 'another thread', 'a client'"),
    (r"\bhis\b", "its"),
    (r"\b(?:or|and) only so\b", "the case itself: 'or only its entry'"),
    (r"\bso manieth\b", "'the Nth'"),
    (r"\b(?:at most|at least|after|beyond|by|for|of|took) so (?:many|much|long)\b",
     "'at most this many', 'at least this long'"),
    (r"\bcom(?:e|es|ing) to (?:its )?calls\b", "'is called by'"),
    (START + r"What of\b", "'Which of'"),
    (r"\banew\b", "again"),
    (r"\bheeds?\b", "follows"),
    (r"\bwhat (?:is|was) (?:there|here)\b", "a noun: 'the existing file', 'the contents'"),
]

STRINGS = ("tools/", "recordmcount/", "llvm-pass/", "runtime/")
SOURCES = (".c", ".cpp", ".h", ".inc", ".S")
SCRIPTS = (".cfg", ".cmake", ".ll", ".py", ".s", ".sh", ".test", ".txt")
EXAMPLES = ("test/house/english.py", "test/house/english.test")

# Folders that have not been rewritten yet.
TO_DO = []


class Text:
    """Words in a row, and the line of each: a phrase may go from one line to the next."""

    def __init__(self):
        self.words, self.starts, self.lines, self.length = [], [], [], 0

    def add(self, line, text):
        text = " ".join(text.split())
        if text:
            self.starts.append(self.length)
            self.lines.append(line)
            self.words.append(text)
            self.length += len(text) + 1

    def findings(self):
        whole = " ".join(self.words)
        for pattern, instead in BANNED:
            for match in re.finditer(pattern, whole):
                line = self.lines[bisect.bisect_right(self.starts, match.start()) - 1]
                yield line, match[0], instead


def paragraphs(numbered, is_text):
    """Lines that follow each other, as a Text each. `is_text` gives a line's text, or None."""
    text = Text()
    for number, line in numbered:
        said = is_text(line)
        if not said or not said.strip():
            yield text
            text = Text()
        if said:
            text.add(number, said)
    yield text


def of_document(lines):
    """Code is not English: fences, and what stands in backquotes."""
    fenced = False

    def plain(line):
        nonlocal fenced
        if line.lstrip().startswith("```"):
            fenced = not fenced
            return None
        if fenced or line.startswith(("#", "<!--")):
            return None
        return re.sub(r"`[^`]*`", "CODE", re.sub(r"^\s*(?:[-*]|\d+\.) ", "", line)).replace("|", " | ").strip(" |")

    text = Text()
    for number, line in enumerate(lines, 1):
        begins = re.match(r"\s*(?:[-*]|\d+\.) |\|", line)
        said = plain(line)
        if begins or not said:
            yield text
            text = Text()
        if said:
            text.add(number, said)
    yield text


def of_manual(lines):
    def plain(line):
        if line.startswith(('.\\"', ".Bd", ".Ed", ".Dl", ".Xr", ".Nm", ".It", ".El", ".Sh", ".Ss", ".Pp")):
            return None
        return re.sub(r"^\.[A-Z][a-z]\b", "", line)

    return paragraphs(enumerate(lines, 1), plain)


def of_comments(lines):
    def comment(line):
        match = re.search(r"(?:^|\s)//+(.*)$", line)
        return match and re.sub(r"`[^`]*`", "CODE", match[1])

    return paragraphs(enumerate(lines, 1), comment)


def of_scripts(lines):
    """Comments behind # or ;, but for the RUN and CHECK lines of a test."""
    def comment(line):
        match = re.search(r"(?:^|\s)[#;]+ (?![A-Z-]+:)(.*)$", line)
        return match and re.sub(r"`[^`]*`", "CODE", match[1])

    return paragraphs(enumerate(lines, 1), comment)


def of_strings(lines):
    """Literals with a space in them; one that is continued on the next line is one text."""
    for number, line in enumerate(lines, 1):
        code = re.sub(r"(?:^|\s)//.*", "", line)
        if code.lstrip().startswith(("#include", "asm", "__asm__")):
            continue
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', code):
            text = Text()
            if " " in literal:
                text.add(number, literal.replace("\\n", " "))
            yield text


def texts_of(path, name):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    if name.endswith(".md"):
        yield from of_document(lines)
    elif re.search(r"\.\d$", name):
        yield from of_manual(lines)
    elif name.endswith(SOURCES):
        yield from of_comments(lines)
        if name.startswith(STRINGS):
            yield from of_strings(lines)
    elif name.endswith(SCRIPTS) or name.startswith("scripts/"):
        yield from of_scripts(lines)


def findings_of(path, name):
    for text in texts_of(path, name):
        for line, phrase, instead in text.findings():
            yield f"{name}:{line}: '{phrase}': write {instead}"


def findings_in_tree(root):
    """Those outside of TO_DO, and each folder in it that has none."""
    listed = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True)
    names = listed.stdout.splitlines()
    to_do = set()
    for name in names:
        folder = next((folder for folder in TO_DO if name.startswith(folder)), None)
        found = findings_of(root / name, name) if (root / name).is_file() and name not in EXAMPLES else ()
        if folder:
            to_do |= {folder} if any(found) else set()
        else:
            yield from found
    for folder in TO_DO:
        if folder not in to_do:
            yield f"{folder}: has no findings any more: take it out of TO_DO in test/house/english.py"


def main():
    root, files = pathlib.Path(sys.argv[1]), sys.argv[2:]
    if files:
        findings = [line for name in files for line in findings_of(root / name, name)]
    else:
        findings = list(findings_in_tree(root))
    print(*findings or ["english: no banned phrase"], sep="\n")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
