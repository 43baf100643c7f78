# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers of tests that act as another user, as root and in a mount namespace of their own (%own_mounts)."""

import os
import subprocess

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")


def place_for_all(build):
    """A folder with bin/ and lib/ of the build, which others may not get to otherwise."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "none", "/mnt"], check=True)
    for name in ("bin", "lib"):
        os.mkdir(f"/mnt/{name}")
        subprocess.run(["mount", "--bind", f"{build}/{name}", f"/mnt/{name}"], check=True)
    return "/mnt"
