# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tree of objects as a large C++ project has it, built by g++ for mcount, with debug information.

Compiling thousands of files would take longer than all that is measured. So a few dozen sources of
different sizes are compiled, and each object is copied many times under another name, with
another number in a string of its own: no two files of the tree have the same contents.
"""

import subprocess
from concurrent.futures import ThreadPoolExecutor

SOURCES = 24
MARK = b"object number 000000"
FLAGS = ["-O2", "-pg", "-mfentry", "-g", "-c"]

HEAD = """#include <map>
#include <string>
#include <vector>
extern const char mark_{source}[] = "{mark}";
struct point_{source} {{ double x, y; long tag; }};
template <class T> T twice(T t) {{ return t + t; }}
"""
FUNCTION = """
static long helper_{n}(const point_{source} &p, long k) {{ return p.tag * {a} + k; }}
long work_{source}_{n}(std::map<std::string, long> &m, const std::string &s, point_{source} p, int k) {{
  m[s] += helper_{n}(p, k) + twice<long>({n});
  return m.size() + k * {a};
}}
"""


def compile_sources(folder):
    """The objects' paths; sizes follow a project's: many small ones, a few large."""
    def one(source):
        text = HEAD.format(source=source, mark=MARK.decode())
        for n in range(1 + source * source // 24):
            text += FUNCTION.format(source=source, n=n, a=2 * n + 3)
        path = folder / f"source_{source}.cpp"
        path.write_text(text)
        subprocess.run(["g++", *FLAGS, path, "-o", path.with_suffix(".o")], check=True)
        return path.with_suffix(".o")
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, range(SOURCES)))


def make_tree(objects, folder, count):
    """`count` objects in `folder`; returns their bytes."""
    contents = [path.read_bytes() for path in objects]
    assert all(content.count(MARK) for content in contents)
    total = 0
    for number in range(count):
        content = contents[number % len(contents)].replace(MARK, b"object number %06d" % number)
        part = folder / f"{number // 100:03}"
        part.mkdir(parents=True, exist_ok=True)
        (part / f"object_{number}.o").write_bytes(content)
        total += len(content)
    return total
