# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""seccomp.py NOPHOOK PROGRAM FOLDER NEEDED_CALLS: the program with many filters. NEEDED_CALLS is the source with the list."""

import os
import re
import struct
import subprocess
import sys

from attaching import Target, expect, expect_in

KILL, ERRNO, ALLOW, NOTIFY = 0x80000000, 0x00050000, 0x7FFF0000, 0x7FC00000
EPERM, ENOSYS = 1, 38
NUMBER, ARCH, X86_64 = 0, 4, 0xC000003E
# System calls that the program makes by itself, and the C library for it.
OWN = ["poll", "clock_nanosleep", "restart_syscall", "exit_group"]


def argument(index):
    return 16 + 8 * index


def word(place):
    return struct.pack("<HBBI", 0x20, 0, 0, place)  # A = data[place]


def when(value, jump=1):
    return struct.pack("<HBBI", 0x15, 0, jump, value)  # if A != value: jump


def masked(bits):
    return struct.pack("<HBBI", 0x54, 0, 0, bits)  # A &= bits


def returns(action):
    return struct.pack("<HBBI", 0x06, 0, 0, action)


def numbers():
    with open("/usr/include/x86_64-linux-gnu/asm/unistd_64.h", encoding="ascii") as file:
        return {name: int(number) for name, number in re.findall(r"#define __NR_(\w+) (\d+)", file.read())}


CALLS = numbers()


def filtered(names, otherwise, special=b""):
    """Lets the named calls through; `special` comes first, with the call's number loaded."""
    code = word(ARCH) + when(X86_64) + word(NUMBER) + special
    # `when` leaves out one instruction on another CPU: the load. So its number is 0 there; we are not there.
    for name in names:
        code += when(CALLS[name]) + returns(ALLOW)
    return code + returns(otherwise)


def on(name, action):
    return when(CALLS[name]) + returns(action)


# moby's profiles/seccomp/default.json for a container without capabilities, as far as this CPU has the calls. It lets clone
# through without new namespaces, and says of clone3 that there is none.
DOCKER = """accept accept4 access adjtimex alarm bind brk capget capset chdir chmod chown clock_adjtime clock_getres
clock_gettime clock_nanosleep close close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl
epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat
faccessat2 fadvise64 fallocate fanotify_mark fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock
fork fremovexattr fsetxattr fstat fstatfs fsync ftruncate futex futimesat getcpu getcwd getdents getdents64 getegid geteuid
getgid getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit
get_robust_list getrusage getsid getsockname getsockopt get_thread_area gettid gettimeofday getuid getxattr inotify_add_watch
inotify_init inotify_init1 inotify_rm_watch io_cancel ioctl io_destroy io_getevents io_pgetevents ioprio_get ioprio_set io_setup
io_submit kill landlock_add_rule landlock_create_ruleset landlock_restrict_self lchown lgetxattr link linkat listen listxattr
llistxattr lremovexattr lseek lsetxattr lstat madvise membarrier memfd_create memfd_secret mincore mkdir mkdirat mknod mknodat
mlock mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink mremap msgctl msgget
msgrcv msgsnd msync munlock munlockall munmap name_to_handle_at nanosleep newfstatat open openat openat2 pause pidfd_open
pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64 preadv preadv2 prlimit64 process_mrelease
process_vm_readv process_vm_writev pselect6 ptrace pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom
recvmmsg recvmsg remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending
rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_getaffinity sched_getattr
sched_getparam sched_get_priority_max sched_get_priority_min sched_getscheduler sched_rr_get_interval sched_setaffinity
sched_setattr sched_setparam sched_setscheduler sched_yield seccomp select semctl semget semop semtimedop sendfile sendmmsg
sendmsg sendto setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid setresgid setresuid setreuid setrlimit
set_robust_list setsid setsockopt set_thread_area set_tid_address setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack
signalfd signalfd4 socketpair splice stat statfs statx symlink symlinkat sync sync_file_range syncfs sysinfo tee tgkill time
timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill
truncate umask uname unlink unlinkat utime utimensat utimes vfork vmsplice wait4 waitid write writev""".split()


def docker():
    clone = when(CALLS["clone"], 5) + word(argument(0)) + masked(0x7E020000) + when(0) + \
        returns(ALLOW) + returns(ERRNO | EPERM)
    vsock = when(CALLS["socket"], 4) + word(argument(0)) + when(40) + returns(ERRNO | EPERM) + returns(ALLOW)
    return filtered(DOCKER, ERRNO | EPERM, on("clone3", ERRNO | ENOSYS) + clone + vsock)


def no_special_rights():
    """As systemd's RestrictSUIDSGID, which DynamicUser implies: no file gets S_ISUID or S_ISGID."""
    code = word(ARCH) + when(X86_64)
    for name, place, creates in (("openat", 3, 2), ("mkdirat", 2, None), ("fchmodat", 2, None), ("chmod", 1, None), ("open", 2, 1)):
        for bit in (0o4000, 0o2000):
            of_rights = word(argument(place)) + masked(bit) + when(bit) + returns(ERRNO | EPERM)
            if creates:
                of_rights = word(argument(creates)) + masked(os.O_CREAT) + when(os.O_CREAT, 4) + of_rights
            code += word(NUMBER) + when(CALLS[name], len(of_rights) // 8) + of_rights
    return code + word(NUMBER) + when(CALLS["openat2"]) + returns(ERRNO | ENOSYS) + returns(ALLOW)


class Filtered(Target):
    def __init__(self, setting, code, *arguments):
        nophook, program, folder = setting
        path = os.path.join(folder, "filter")
        with open(path, "wb") as file:
            file.write(code)
        super().__init__(nophook, program, folder, path, *arguments)

    def works(self, *options):
        for _ in range(2):
            done = self.run("attach", self.pid, "-o", self.scratch, "-p", "function_graph", "--duration", "20ms", "--detach", *options)
            expect((done.returncode, "in 1 thread" in done.stderr, done.stderr), (0, True, done.stderr))
            self.goes_on()
        expect(self.end(), 0)

    def is_refused(self, wanted, *prefix):
        done = subprocess.run([*prefix, self.nophook, "attach", str(self.pid), "-o", self.scratch], capture_output=True, text=True,
                              check=False)
        expect(done.returncode, 1)
        expect_in(wanted, done.stderr)
        self.goes_on()
        expect("libnophook" in self.maps(), False)
        expect(self.end(), 0)


def main():
    *setting, source = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        listed = re.findall(r"\b(NEEDS|TRIES)(?:_WITH)?\((?:\"[^\"]*\", )?(\w+)", file.read().partition("kCalls[]")[2])
    needed = {name for kind, name in listed if kind == "NEEDS"} - {"memfd_create", "restart_syscall"}
    tried = {name for kind, name in listed if kind == "TRIES"} - needed
    every = sorted(needed | tried | set(OWN))
    expect(len(needed) > 35 and len(tried) > 20, True)

    Filtered(setting, docker()).works()
    Filtered(setting, no_special_rights()).works()
    # The list is complete: whatever else is called kills.
    Filtered(setting, filtered(every, KILL)).works()
    # It can do without some, and without the first of two ways to make a thread.
    Filtered(setting, filtered(sorted(needed | set(OWN)), ERRNO | EPERM, on("clone3", ERRNO | ENOSYS))).works()
    # The kernel would go on by a call that kills.
    Filtered(setting, filtered(every, KILL, on("restart_syscall", KILL))).works()

    for name in sorted(needed - {"clone", "clone3"} - set(OWN)):
        Filtered(setting, filtered(every, KILL, on(name, KILL))).is_refused(f"its seccomp filter may kill it for {name}")
    for name in sorted(tried - {"fstat"})[::8]:
        Filtered(setting, filtered(every, KILL, on(name, KILL))).is_refused(f"its seccomp filter may kill it for {name}")
    Filtered(setting, filtered(every, KILL, on("openat", ERRNO | EPERM))).is_refused("its seccomp filter lets openat fail (Operation")
    Filtered(setting, filtered(every, KILL, on("accept4", NOTIFY))).is_refused("leaves it to another process to decide about accept4")
    both = on("clone3", ERRNO | ENOSYS) + on("clone", KILL)
    Filtered(setting, filtered(every, KILL, both)).is_refused("may kill it for clone,")
    # By an argument that is known, and by one that is not.
    text = when(CALLS["mprotect"], 4) + word(argument(2)) + when(5) + returns(KILL) + returns(ALLOW)
    Filtered(setting, filtered(every, KILL, text)).is_refused("may kill it for mprotect (PROT_EXEC)")
    length = when(CALLS["munmap"], 4) + word(argument(1)) + when(4711) + returns(KILL) + returns(ALLOW)
    Filtered(setting, filtered(every, KILL, length)).is_refused("may kill it for munmap")

    Filtered(setting, docker(), "in a thread").is_refused("its threads have different seccomp filters")
    plain = ("setpriv", "--bounding-set=-sys_admin")
    Filtered(setting, docker()).is_refused("it has a seccomp filter, which only root may read", *plain)
    trusted = Filtered(setting, docker())
    trusted.nophook = os.path.join(setting[2], "as_user")
    with open(trusted.nophook, "w", encoding="ascii") as file:
        file.write(f'#!/bin/sh\nexec {" ".join(plain)} {setting[0]} "$@"\n')
    os.chmod(trusted.nophook, 0o755)
    trusted.works("--trust-seccomp")


main()
