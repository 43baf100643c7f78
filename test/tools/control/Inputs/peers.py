# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""peers.py NOPHOOK RUNTIME PROGRAM: which clients are served."""

import os
import socket
import sys

from serving import HELLO, PATIENCE, Serving, ask, socket_name

NOBODY = 65534
SERVED, REFUSED, UNREACHABLE = range(3)


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def asks(serving, folder, user):
    """The answer that a process of this user gets."""
    child = os.fork()
    if child == 0:
        os.fchdir(folder)
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        client.settimeout(PATIENCE)
        result = REFUSED
        try:
            client.connect(socket_name(serving.pid))
            if ask(client, HELLO, offset=1)[0] == serving.pid:
                result = SERVED
        except PermissionError:
            result = UNREACHABLE
        except (OSError, ValueError):  # it has hung up, before or after it was asked
            pass
        except BaseException as error:  # struct.error: an empty reply
            result = REFUSED if type(error).__name__ == "error" else 9
        os._exit(result)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def main():
    serving = Serving(*sys.argv[1:])
    path = serving.socket_path()
    folder = os.open(os.path.dirname(path), os.O_RDONLY)
    expect([os.stat(place).st_mode & 0o777 for place in (os.path.dirname(path), path)], [0o700, 0o600])
    expect(asks(serving, folder, NOBODY), UNREACHABLE)
    os.chmod(path, 0o666)
    os.chmod(os.path.dirname(path), 0o755)
    expect(asks(serving, folder, NOBODY), REFUSED)
    expect(asks(serving, folder, 0), SERVED)
    expect(serving.end(), (0, "the answer\n"))


main()
