# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Protobuf files by the schemas of this folder."""

import subprocess
from pathlib import Path


def decode(schema, message, path):
    """A protobuf file as nested lists of (field, value)."""
    folder = Path(__file__).parent
    text = subprocess.run(
        ["protoc", f"--proto_path={folder}", f"--decode={message}", schema],
        stdin=open(path, "rb"), capture_output=True, text=True, check=True).stdout
    stack = [[]]
    for line in text.splitlines():
        line = line.strip()
        if line.endswith("{"):
            child = []
            stack[-1].append((line[:-1].strip(), child))
            stack.append(child)
        elif line == "}":
            stack.pop()
        else:
            field, value = line.split(": ", 1)
            assert not field.isdigit(), f"field {field} is in no schema"
            if value.startswith('"'):
                value = value[1:-1].encode().decode("unicode_escape").encode("latin-1").decode()
            stack[-1].append((field, value))
    return stack[0]


def one(message, field, default=None):
    return next((value for name, value in message if name == field), default)
