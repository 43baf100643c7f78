// A system call that is cut by the stop is issued again, and no program sees EINTR: attached to again and again, it sleeps in each family of calls as it does by itself, never for a shorter time.
// REQUIRES: ptrace
// RUN: %traced_cc %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t %t.run %rounds epoll_wait epoll_pwait epoll_pwait2 poll ppoll select pselect
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t %t.run %rounds nanosleep clock_nanosleep cond_timedwait sem_timedwait
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/rounds.py %nophook %t %t.run %rounds semtimedop sigtimedwait io_getevents msgrcv recv accept read
#include "turns.h"
#include <linux/aio_abi.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

enum { kMs = 5 };
static const struct timespec kTime = {0, kMs * 1000000};
static struct timespec deadline(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  now.tv_nsec += kTime.tv_nsec;
  now.tv_sec += now.tv_nsec / 1000000000;
  now.tv_nsec %= 1000000000;
  return now;
}
static int g_set, g_semaphores, g_queue, g_pair[2], g_listener, g_pipe[2];
static aio_context_t g_context;
static pthread_mutex_t g_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t g_condition = PTHREAD_COND_INITIALIZER;
static sem_t g_semaphore;

static void call_epoll_wait(void) {
  struct epoll_event event;
  MUST(epoll_wait(g_set, &event, 1, kMs) == 0 || (getenv("MAY_BE_CUT") && errno == EINTR));
}
static void call_epoll_pwait(void) {
  struct epoll_event event;
  sigset_t mask;
  sigemptyset(&mask);
  MUST(epoll_pwait(g_set, &event, 1, kMs, &mask) == 0);
}
static void call_epoll_pwait2(void) {
  struct epoll_event event;
  MUST(syscall(SYS_epoll_pwait2, g_set, &event, 1, &kTime, NULL, 8) == 0);
}
static void call_poll(void) {
  struct pollfd waits = {g_pipe[0], POLLIN, 0};
  MUST(poll(&waits, 1, kMs) == 0);
}
static void call_ppoll(void) {
  struct pollfd waits = {g_pipe[0], POLLIN, 0};
  sigset_t mask;
  sigfillset(&mask);
  MUST(ppoll(&waits, 1, &kTime, &mask) == 0);
}
static void call_select(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(g_pipe[0], &set);
  struct timeval time = {0, kMs * 1000};
  MUST(select(g_pipe[0] + 1, &set, NULL, NULL, &time) == 0);
}
static void call_pselect(void) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(g_pipe[0], &set);
  sigset_t mask;
  sigemptyset(&mask);
  MUST(pselect(g_pipe[0] + 1, &set, NULL, NULL, &kTime, &mask) == 0);
}
static void call_nanosleep(void) { MUST(nanosleep(&kTime, NULL) == 0); }
static void call_clock_nanosleep(void) { MUST(clock_nanosleep(CLOCK_MONOTONIC, 0, &kTime, NULL) == 0); }
static void call_cond_timedwait(void) {
  struct timespec end = deadline();
  pthread_mutex_lock(&g_mutex);
  MUST(pthread_cond_timedwait(&g_condition, &g_mutex, &end) == ETIMEDOUT);
  pthread_mutex_unlock(&g_mutex);
}
static void call_sem_timedwait(void) {
  struct timespec end = deadline();
  MUST(sem_timedwait(&g_semaphore, &end) == -1 && errno == ETIMEDOUT);
}
static void call_semtimedop(void) {
  struct sembuf takes = {0, -1, 0};
  MUST(semtimedop(g_semaphores, &takes, 1, &kTime) == -1 && errno == EAGAIN);
}
static void call_sigtimedwait(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR1);
  MUST(sigtimedwait(&signals, NULL, &kTime) == -1 && errno == EAGAIN);
}
static void call_io_getevents(void) {
  struct io_event event;
  MUST(syscall(SYS_io_getevents, g_context, 1, 1, &event, &kTime) == 0);
}
static void *send_messages(void *unused) {
  struct {
    long type;
    char text[8];
  } message = {1, ""};
  for (;;) {
    usleep(kMs * 1000);
    MUST(msgsnd(g_queue, &message, sizeof message.text, 0) == 0);
  }
  return unused;
}
static void call_msgrcv(void) {
  struct {
    long type;
    char text[8];
  } message;
  MUST(msgrcv(g_queue, &message, sizeof message.text, 0, 0) == sizeof message.text);
}
static void call_recv(void) {
  char byte;
  MUST(recv(g_pair[0], &byte, 1, 0) == -1 && errno == EAGAIN);
}
static void call_read(void) {
  char byte;
  MUST(read(g_pair[0], &byte, 1) == -1 && errno == EAGAIN);
}
static void call_accept(void) { MUST(accept(g_listener, NULL, NULL) == -1 && errno == EAGAIN); }

static const struct {
  const char *name;
  void (*call)(void);
  int has_timeout;
} kCalls[] = {
#define CALL(name, has_timeout) {#name, call_##name, has_timeout}
    CALL(epoll_wait, 1), CALL(epoll_pwait, 1), CALL(epoll_pwait2, 1), CALL(poll, 1), CALL(ppoll, 1), CALL(select, 1),
    CALL(pselect, 1), CALL(nanosleep, 1), CALL(clock_nanosleep, 1), CALL(cond_timedwait, 1), CALL(sem_timedwait, 1),
    CALL(semtimedop, 1), CALL(sigtimedwait, 1), CALL(io_getevents, 1), CALL(msgrcv, 0), CALL(recv, 1), CALL(read, 1),
    CALL(accept, 1)};

static void prepare(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval time = {0, kMs * 1000};
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  MUST((g_set = epoll_create1(0)) >= 0 && pipe(g_pipe) == 0 && sem_init(&g_semaphore, 0, 0) == 0);
  MUST(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0 && syscall(SYS_io_setup, 8, &g_context) == 0);
  MUST((g_semaphores = semget(IPC_PRIVATE, 1, 0600)) >= 0 && (g_queue = msgget(IPC_PRIVATE, 0600)) >= 0);
  MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, g_pair) == 0);
  MUST((g_listener = socket(AF_INET, SOCK_STREAM, 0)) >= 0);
  MUST(bind(g_listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(g_listener, 1) == 0);
  MUST(setsockopt(g_pair[0], SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
  MUST(setsockopt(g_listener, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time) == 0);
}

int main(int count, char **arguments) {
  unsigned which = 0;
  pthread_t sender;
  MUST(count == 3);
  open_turns(arguments[1]);
  prepare();
  while (which < sizeof kCalls / sizeof *kCalls && strcmp(kCalls[which].name, arguments[2]))
    which++;
  MUST(which < sizeof kCalls / sizeof *kCalls);
  if (!kCalls[which].has_timeout)
    pthread_create(&sender, NULL, send_messages, NULL);
  while (!has_input_ended()) {
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    kCalls[which].call();
    clock_gettime(CLOCK_MONOTONIC, &end);
    long ns = (end.tv_sec - begin.tv_sec) * 1000000000 + end.tv_nsec - begin.tv_nsec;
    // The real-time clock's deadline may have been set a little apart from the other clock.
    MUST(!kCalls[which].has_timeout || getenv("MAY_BE_CUT") || ns > (kMs - 1) * 1000000);
    turn();
  }
  semctl(g_semaphores, 0, IPC_RMID);
  msgctl(g_queue, IPC_RMID, NULL);
}
