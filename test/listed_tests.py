# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of another folder, which a folder runs by its own configuration.

A test of test/runtime also holds for AArch64: the same file, another compiler line. A copy would be changed in one
place only, and a link would be counted and searched twice. So the folder has a list of such tests, and lit finds each
as if it were in this folder, with the folder's lit.local.cfg and a scratch path of its own.

A line of the list is the test's path in both folders; or its path here and, behind a blank, its path there. The word
`long` in front of it has the meaning of `REQUIRES: long`.
"""

import os
import pathlib

import lit.Test
import lit.formats


class ListedTest(lit.Test.Test):
    """A test whose file is elsewhere."""

    def __init__(self, suite, path_in_suite, config, source, is_long):
        self.source = source
        super().__init__(suite, path_in_suite, config)
        if is_long:
            self.requires.append("long")

    def getSourcePath(self):
        return self.source


class ListedTests(lit.formats.ShTest):
    """The tests of the folder `here`, and those of the folder `there` that the file `listed` names."""

    def __init__(self, here, there, listed):
        super().__init__(execute_external=False)
        self.here = pathlib.Path(here)
        self.tests = {}  # by the folder that has them
        for line in pathlib.Path(listed).read_text(encoding="utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            words = line.split()
            is_long = words[0] == "long"
            place, *other = words[is_long:]
            source = os.path.join(there, *(other or [place]))
            if not os.path.isfile(source):
                raise FileNotFoundError(f"{listed}: there is no {source}")
            # A folder that has no files of its own is not there; its tests are found from the one above it.
            folder = next(folder for folder in (self.here / place).parents if folder.is_dir())
            self.tests.setdefault(folder, []).append((place, source, is_long))

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        yield from super().getTestsInDirectory(testSuite, path_in_suite, litConfig, localConfig)
        for place, source, is_long in self.tests.get(pathlib.Path(testSuite.getSourcePath(path_in_suite)), []):
            path = (self.here / place).relative_to(testSuite.source_root).parts
            yield ListedTest(testSuite, path, localConfig, source, is_long)
