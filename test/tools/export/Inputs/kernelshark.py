# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kernelshark.py FILE: the events of a trace.dat as KernelShark's library reads them: event, what it is about."""

import ctypes
import sys


def main():
    shark = ctypes.CDLL("libkshark.so.2")
    for name in ("kshark_get_event_name", "kshark_get_info", "kshark_get_task"):
        getattr(shark, name).restype = ctypes.c_char_p
        getattr(shark, name).argtypes = [ctypes.c_void_p]
    shark.kshark_load_entries.restype = ctypes.c_ssize_t
    context, rows = ctypes.c_void_p(), ctypes.POINTER(ctypes.c_void_p)()
    if not shark.kshark_instance(ctypes.byref(context)):
        sys.exit("the library cannot begin")
    stream = shark.kshark_open(context, sys.argv[1].encode())
    if stream < 0:
        sys.exit(f"the library cannot open it: {stream}")
    count = shark.kshark_load_entries(context, stream, ctypes.byref(rows))
    for i in range(count):
        words = (shark.kshark_get_task(rows[i]), shark.kshark_get_event_name(rows[i]), shark.kshark_get_info(rows[i]))
        print(" ".join(b" ".join(words).decode().split()))
    print(count, "events")


main()
