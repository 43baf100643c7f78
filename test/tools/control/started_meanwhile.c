// A process that begins to serve while a client finds the socket of the last one that had its number is served, and its socket stays.
// RUN: %traced_cc %S/events.c -o %t && %clang -shared -fPIC -D_GNU_SOURCE %s -o %t.so && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %S/Inputs/started_meanwhile.py %nophook %lib/libnophook.so %t %t.so
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
// The first socket was the last one's; from then on it is the new one's.
int connect(int fd, __CONST_SOCKADDR_ARG address, socklen_t bytes) {
  static int times;
  if (times++ == 0)
    return errno = ECONNREFUSED, -1;
  return (int)syscall(SYS_connect, fd, address.__sockaddr__, bytes);
}
