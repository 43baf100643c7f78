#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds phrases that make a reader stop, in documents, manual pages, messages and comments.

A page in which every sentence must be read twice is correct and useless. No program can judge a
sentence, but a few phrases are in most of the bad ones: a sentence without a noun for its subject
("Who writes here asks first"), and words that no manual uses in that sense ("is told"). These are
banned, each with what to write instead. Comments also begin with a noun.

    english.py ROOT            checks the tree; exit 1 and a line for each finding
    english.py ROOT FILE...    checks these files

Checked are documents and manual pages, the string literals of tools/, recordmcount/, llvm-pass/ and
runtime/ (help texts, errors and the log), and the comments and docstrings of all other files.
"""

import ast
import bisect
import io
import pathlib
import re
import subprocess
import sys
import textwrap
import tokenize

# A phrase, in capitals and in small letters, and what to write instead. START is the start of a sentence.
START = r"(?:^|(?<=[.!?:;|] )|(?<=\) ))"
BANNED = [
    (START + r"(?-i:Who)\b(?![^.]*\?)", "a noun: 'A writer that ...'"),
    (START + r"(?-i:Whose)\b(?![^.]*\?)", "a noun: 'The number of the process that ...'"),
    (r"\bwhoever\b", "a noun: 'any reader that'"),
    (r"\b(?:about|after|as|at|before|behind|by|for|from|in|of|on|than|to|until|with) who\b",
     "a noun: 'for a reader that'"),
    (r"\btold\b", "shown, reported, returned"),
    (r"\btells\b", "shows, reports, returns"),
    (r"\b(?-i:meanwhile)\b", "'in the meantime', or a clause with 'while'"),
    (r"\bsomebody\b", "a noun: 'another thread', 'a client'"),
    (r"\bnobody's\b", "a noun: 'a number that no thread has'"),
    (r"\bhis\b", "its"),
    (r"\b(?:or|and) only so\b", "the case itself: 'or only its entry'"),
    (r"\bso manieth\b", "'the Nth'"),
    (r"\b(?:at most|at least|after|beyond|by|for|of|took) so (?:many|much|long)\b",
     "'at most this many', 'at least this long'"),
    (r"\bcom(?:e|es|ing) to (?:its )?calls\b", "'is called by'"),
    (START + r"what of\b", "'Which of'"),
    (START + r"(?-i:Of)\b(?:[^,.:;|]|[.:]\b)*(?:[.:;|]|$)", "a noun: 'The name of a thread', not 'Of a thread'"),
    (r"\banew\b", "again"),
    (r"\b(?:a|each|its|no|the|their|whose) begin\b", "the beginning, the start"),
    (r"\bheeds?\b", "follows"),
    (r"\bwhat (?:is|was) (?:there|here)\b", "a noun: 'the existing file', 'the contents'"),
]

# A comment begins with a noun, or with the verb of what the code does. These beginnings have none: "What is left of
# the name.", "Those that have ended.", "of the process". With a noun or a comma behind the word they are good: "Those
# sites are ...", "One line for each thread.", "With --all, ...", "Of two threads, the first ...", "What for?".
ANYWHERE = (r"(?:what|whose)\b(?![^.]*\?)|that of\b|those\b(?! [a-z]+s\b)"
            r"|one (?:can|has|is|may|must|of (?:these|those)|that|which|whose|with)\b")
HEADLESS = re.compile(
    ANYWHERE +
    r"|that (?:all|an?|are|can|has|have|is|it|may|must|the|they|this|was|what|which)\b"
    r"|of\b(?![^.:;]*, )"
    r"|with\b[^,.:;]{0,40}(?:[.:;]|$)", re.IGNORECASE)
SUBJECT = "a noun first: 'The part that ...', 'size of ...'"

# The same inside of a comment, at the start of a sentence. "That is enough." is good there.
INSIDE = (rf"(?<=[.!?:;] )(?-i:(?=[A-Z]))(?:{ANYWHERE})", SUBJECT)

# A comment may begin with a small letter. In a document this is a cell of a table: "| who may do it |".
SMALL = (START + r"(?-i:who)\b(?![^.]*\?)", "a noun: 'a writer that ...'")

# In a document a sentence of more than 30 words, code not counted.
END = r"\S*[.!?:;|][)\"*]*(?: |$)"
LONG = (rf"(?:(?!CODE|{END})\S+ (?:(?!{END})\S*CODE\S* )*){{30}}\S+", "two sentences: this one has more than 30 words")

ITEM = r"(?:[-*]|#+|\d+\.) "
STRINGS = ("tools/", "recordmcount/", "llvm-pass/", "analysis/", "machine/", "runtime/")
SOURCES = (".c", ".cpp", ".h", ".inc", ".S")
NOT_ENGLISH = (".diff", ".hex", ".json", ".patch", ".png", ".svg", "LICENSE", "copyright")

# How comments look, by the endings of files; a group has the text. RUN and CHECK lines of a test are none.
LIT = re.compile(r"\s*(?:(?://|[#;])+\s*)?[A-Z][A-Z0-9_-]*:")
HASH = r"(?:^|(?<=\s))[#;]+ (.*?)$"
SLASHES = r"(?:^|(?<=\s))//+(.*?)$"
COMMENTS = [
    ((*SOURCES, ".css", ".js", ".lds", ".map", ".mjs", ".proto", ".rs"), SLASHES + r"|(?:^|(?<=\s))/\*+(.*?)\*/"),
    ((".html",), r"<!--(.*?)-->"),
    ((".litmus",), r"\(\*(.*?)\*\)"),
    ((".lua",), r"(?:^|(?<=\s))--+(.*?)$"),
    ((".test",), SLASHES + "|" + HASH),
]
EXAMPLES = ("test/house/english.py", "test/house/english.test")


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

    def findings(self, banned):
        whole = " ".join(self.words)
        for pattern, instead in banned:
            for match in re.finditer(pattern, whole, re.IGNORECASE):
                line = self.lines[bisect.bisect_right(self.starts, match.start()) - 1]
                yield line, textwrap.shorten(match[0], 60, placeholder=" ..."), instead


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
        if fenced or line.startswith("<!--"):
            return None
        return re.sub(r"`[^`]*`", "CODE", re.sub(rf"^\s*{ITEM}", "", line)).replace("|", " | ").strip(" |")

    text = Text()
    for number, line in enumerate(lines, 1):
        said = plain(line)
        if re.match(rf"\s*(?:{ITEM}|\|)", line) or not said:
            yield text
            text = Text()
        if said:
            text.add(number, said)
        if line.startswith("#"):
            yield text
            text = Text()
    yield text


def of_manual(lines):
    def plain(line):
        if line.startswith(('.\\"', ".Bd", ".Ed", ".Dl", ".Xr", ".Nm", ".It", ".El", ".Sh", ".Ss", ".Pp")):
            return None
        return re.sub(r"^\.[A-Z][a-z]\b", "", line)

    return paragraphs(enumerate(lines, 1), plain)


def plain_comment(line):
    return re.sub(r"`[^`]*`", "CODE", re.sub(r"^ *SPDX-.*", "", line))


def of_comments(lines, name):
    """The text of the comments, line by line."""
    if name.endswith(".py"):
        yield from of_hashes(lines)
        yield from of_docstrings(lines)
        return
    if name.endswith(".test") or name.startswith("test/"):
        lines = ["" if LIT.match(line) else line for line in lines]
    form = next((form for endings, form in COMMENTS if name.endswith(endings)), HASH)
    said, whole = [""] * len(lines), "\n".join(lines)
    for match in re.finditer(form, whole, re.DOTALL | re.MULTILINE):
        text, first = match[match.lastindex], whole.count("\n", 0, match.start(match.lastindex))
        for number, line in enumerate(text.split("\n"), first):
            said[number] += " " + re.sub(r"^\s*\*+", "", line)
    yield from paragraphs(enumerate(said, 1), plain_comment)


def of_hashes(lines):
    """Comments of Python: a string may have lines that look like one."""
    said = [""] * len(lines)
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
        if token.type == tokenize.COMMENT:
            said[token.start[0] - 1] = token.string.lstrip("#")
    return paragraphs(enumerate(said, 1), plain_comment)


def of_docstrings(lines):
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            first, last = node.body[0].lineno, node.body[0].end_lineno
            yield from paragraphs(enumerate(lines[first - 1:last], first), lambda line: re.sub(r"`[^`]*`", "CODE", line.replace('"""', " ")))


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


def headless_comments(lines, name):
    """The beginnings of comments, and of those behind code."""
    starts = [(text.lines[0], " ".join(text.words)) for text in of_comments(lines, name) if text.words]
    if name.endswith(SOURCES):
        starts += [(number, match[1]) for number, line in enumerate(lines, 1) if (match := re.search(r"\S\s+// ([^\"]*)$", line))]
    for line, text in sorted(starts):
        if match := HEADLESS.match(text):
            yield line, match[0]


def texts_of(path, name):
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    if name.endswith(".md"):
        yield from of_document(lines)
    elif re.search(r"\.\d$", name):
        yield from of_manual(lines)
    elif not name.endswith(NOT_ENGLISH):
        yield from of_comments(lines, name)
    if name.endswith(SOURCES) and name.startswith(STRINGS):
        yield from of_strings(lines)


def findings_of(path, name):
    banned = [*BANNED, *([LONG] if name.endswith(".md") else [SMALL, INSIDE])]
    for text in texts_of(path, name):
        for line, phrase, instead in text.findings(banned):
            yield f"{name}:{line}: '{phrase}': write {instead}"
    if not name.endswith((*NOT_ENGLISH, ".md")):
        for line, phrase in sorted(set(headless_comments(path.read_text(encoding="utf-8", errors="replace").splitlines(), name))):
            yield f"{name}:{line}: '{phrase}': write {SUBJECT}"


def findings_in_tree(root):
    listed = subprocess.run(["git", "-C", root, "ls-files"], check=True, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if (root / name).is_file() and not (root / name).is_symlink() and name not in EXAMPLES:
            yield from findings_of(root / name, name)


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
