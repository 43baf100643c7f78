// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that serves: it waits for clients and requests, and looks for sites whose uprobe has
// gone.

#include "tracefs/server.h"

#include "base/background_thread.h"
#include "base/eternal.h"
#include "base/few_calls.h"
#include "base/log.h"
#include "base/own_identity.h"
#include "base/syscall.h"
#include "buffer/trace_clock.h"
#include "ops/update.h"
#include "sites/module.h"
#include "tracefs/session.h"
#include "tracers/muted.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace nophook {
namespace {

constexpr uint32_t kSessions = 16;
// The intervals of looks at the sites: 1 ms of work a second at most.
constexpr uint64_t kLookNs = 1'000'000'000, kIdleLookNs = 10 * kLookNs;
constexpr uint32_t kSitesOfLook = 2048;
constexpr size_t kStackBytes = 256 << 10; // a demangler may run on it

Text<512> g_folder;
Text<40> g_name;          // name of the socket in the folder: NAMESPACE-PID.sock
pid_t g_owner = 0;        // the process that serves; a fork child finds its parent's number here
bool g_has_begun = false; // whether there is a thread, or is about to be. Pairs with itself
Eternal<Session, kSessions> g_sessions;

// Gives the thread its own descriptors, and none of the program's.
bool take_own_descriptors() {
  if (sys_failed(sys(SYS_close_range, 0, ~0u, CLOSE_RANGE_UNSHARE)))
    return false;
  // A function that writes to standard error in this thread must not write to a socket. A chroot
  // may have no /dev/null; a descriptor of O_PATH cannot be written to.
  return (sys(SYS_openat, AT_FDCWD, "/dev/null", O_RDWR) == 0 ||
          sys(SYS_openat, AT_FDCWD, "/", O_PATH) == 0) &&
         sys(SYS_dup, 0) == 1 && sys(SYS_dup, 0) == 2;
}

constexpr char kNoSocket[] = "serve: the control socket cannot be made (it needs Linux 5.9, and "
                             "the folder for buffers)",
               kNoFamily[] = "serve: the control socket cannot be made: a filter forbids AF_UNIX "
                             "(systemd: RestrictAddressFamilies=AF_UNIX AF_INET ...)";

// A socket's path is 107 bytes at most; a folder's may be longer. It gets its name when it listens:
// a client that is refused may remove the socket of a killed process.
int make_socket(const char **refusal) {
  long folder = sys(SYS_openat, AT_FDCWD, g_folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  long made = sys(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made == -EAFNOSUPPORT)
    *refusal = kNoFamily;
  if (folder < 0 || made < 0)
    return -1;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  Text<sizeof address.sun_path> path;
  Text<sizeof g_name + 4> temporary;
  temporary.add(g_name.c_str()).add(".tmp");
  path.add("/proc/thread-self/fd/").number((uint64_t)folder).add("/").add(temporary.c_str());
  copy_bytes(address.sun_path, path.c_str(), path.size() + 1);
  sys(SYS_unlinkat, folder, temporary.c_str(),
      0); // a leftover of an earlier process with this number
  bool works = sys(SYS_bind, made, &address, sizeof address) == 0 &&
               sys(SYS_fchmodat, folder, temporary.c_str(), 0600) == 0 &&
               sys(SYS_listen, made, kSessions) == 0 &&
               sys(SYS_renameat, folder, temporary.c_str(), folder, g_name.c_str()) == 0;
  sys(SYS_close, folder);
  return works ? (int)made : -1;
}

// Whether a user is from outside. In a user namespace the users outside have no numbers: root
// outside looks like any other user outside. Only processes that may ignore the rights of files
// reach the socket, which is 0600.
bool is_from_outside(uid_t user) {
  constexpr uid_t kNoNumber = 65534;            // kernel.overflowuid
  constexpr ino_t kFirstNamespace = 0xeffffffd; // PROC_USER_INIT_INO
  struct stat space;
  return user == kNoNumber &&
         sys(SYS_newfstatat, AT_FDCWD, "/proc/thread-self/ns/user", &space, 0) == 0 &&
         space.st_ino != kFirstNamespace;
}

bool is_ours(int socket) {
  ucred peer = {};
  socklen_t bytes = sizeof peer;
  return sys(SYS_getsockopt, socket, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
         (peer.uid == (uid_t)sys(SYS_geteuid) || peer.uid == 0 || is_from_outside(peer.uid));
}

// The place for a new client.
Session *place_in(Session *sessions) {
  Session *oldest = sessions;
  for (Session *s = sessions; s < sessions + kSessions; s++) {
    if (!s->is_open())
      return s;
    oldest = s->last() < oldest->last() ? s : oldest;
  }
  oldest->end();
  return oldest;
}

void accept_one(int listener, Session *sessions, uint64_t now) {
  long client = sys(SYS_accept4, listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (sys_failed(client)) {
    // The program may have no descriptor left. The client stays in the queue, so there is a short
    // pause.
    constexpr timespec kLater = {0, 100'000'000};
    if (client != -EAGAIN && client != -ECONNABORTED)
      sys(SYS_nanosleep, &kLater, nullptr);
    return;
  }
  if (is_ours((int)client))
    place_in(sessions)->begin((int)client, now);
  else
    sys(SYS_close, client);
}

// The kernel gives no notice of a uprobe that comes or goes, so the sites are looked at. Sites of
// functions that auto_notrace has left out since the last look become NOPs.
class Looks {
public:
  timespec until_next() const {
    uint64_t now = monotonic_ns(), left = next_ > now ? next_ - now : 0;
    return {(time_t)(left / 1'000'000'000), (long)(left % 1'000'000'000)};
  }
  void look_in_time() {
    if (monotonic_ns() < next_)
      return;
    leave_out_new_muted();
    next_ = monotonic_ns() + (restore_next_sites(kSitesOfLook) ? kLookNs : kIdleLookNs);
  }
  // Makes the next look early, as a client may have begun to trace.
  void be_early() {
    uint64_t soon = monotonic_ns() + kLookNs;
    next_ = next_ < soon ? next_ : soon;
  }

private:
  uint64_t next_ = 0;
};

void serve_clients(int listener) {
  Session *sessions = g_sessions.all();
  Looks looks;
  for (uint64_t now = 1;; now++) {
    looks.look_in_time();
    pollfd waits[1 + kSessions] = {{listener, POLLIN, 0}};
    for (uint32_t i = 0; i < kSessions; i++)
      waits[1 + i] = {sessions[i].is_open() ? sessions[i].socket() : -1, POLLIN, 0};
    timespec wait = looks.until_next();
    long ready = sys(SYS_ppoll, waits, 1 + kSessions, &wait, nullptr, 0);
    if (ready == -EINTR || ready == 0)
      continue;
    if (sys_failed(ready)) { // the limit on descriptors is lower than the number that is polled
      log_line("serve: the control socket cannot be waited for; clients are no longer served");
      return;
    }
    looks.be_early();
    for (uint32_t i = 0; i < kSessions; i++)
      if (waits[1 + i].revents)
        sessions[i].answer(now);
    if (Session::is_asked_to_leave())
      return;
    if (waits[0].revents)
      accept_one(listener, sessions, now);
  }
}

void remove_socket() {
  Text<600> path;
  if (!is_vfork_child() && serves_here() && !has_few_calls())
    sys(SYS_unlinkat, AT_FDCWD, path.add(g_folder.c_str()).add("/").add(g_name.c_str()).c_str(), 0);
}

// Stops serving. The socket is removed first: a client that sees its connection end finds no
// socket. The listener ends with the thread's descriptors. After the last line the process may
// serve again.
void leave() {
  remove_socket();
  for (uint32_t i = 0; i < kSessions; i++)
    g_sessions[i].end();
  __atomic_store_n(&g_has_begun, false, __ATOMIC_RELEASE);
  __atomic_store_n(&g_owner, 0, __ATOMIC_RELEASE);
}

void *run(void *) {
  sys(SYS_prctl, PR_SET_NAME, "nophook");
  const char *refusal = kNoSocket;
  int listener = take_own_descriptors() ? make_socket(&refusal) : -1;
  if (listener < 0) {
    log_line(refusal);
    return nullptr;
  }
  serve_clients(listener);
  leave();
  return nullptr;
}

} // namespace

bool is_serving() {
  return g_owner != 0;
}

bool serves_here() {
  const pid_t owner = __atomic_load_n(&g_owner, __ATOMIC_ACQUIRE);
  return owner && owner == process_id();
}

Status serve(const char *folder) {
  if (serves_here())
    return failure(EALREADY, "the process serves already");
  if (g_owner) { // a parent's: its connections and open files are not ours
    Session::forget_parents(g_sessions.all(), kSessions);
    g_has_begun = false;
  }
  const pid_t owner = process_id();
  g_folder = {};
  g_folder.add(folder);
  // The name has both numbers: processes of several PID namespaces may have one folder, and the
  // same PID.
  g_name = {};
  g_name.number(own_pid_namespace()).add("-").number((uint64_t)owner).add(".sock");
  __atomic_store_n(&g_owner, owner, __ATOMIC_RELEASE);
  return serve_first_sites();
}

Status serve_first_sites() {
  if (!g_owner || __atomic_load_n(&g_has_begun, __ATOMIC_ACQUIRE) || g_owner != process_id() ||
      !has_sites())
    return {};
  if (__atomic_exchange_n(&g_has_begun, true,
                          __ATOMIC_ACQ_REL)) // another thread's dlopen has begun
    return {};
  const int error = start_background_thread(run, kStackBytes);
  if (error) {
    g_owner = 0;
    return failure(error, "no thread for the control socket");
  }
  static bool is_told = false;
  if (!is_told)
    ::atexit(remove_socket);
  is_told = true;
  return {};
}

} // namespace nophook
