// A loaded server with threads, a signal each millisecond and much malloc is attached to, recorded and left again and again: no client gets a wrong answer, an error or no answer.
// REQUIRES: ptrace
// RUN: %traced_cc -O2 %s -o %t && rm -rf %t.run && mkdir %t.run
// RUN: env XDG_RUNTIME_DIR=%t.run %python %inputs/server.py %nophook %t %t.run %rounds_of_server
#include "turns.h"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>

// ---- The store: keys and values in memory of malloc, in lists of a table that grows.

typedef struct Entry {
  struct Entry *next;
  char *key, *value;
} Entry;
static Entry **g_table;
static size_t g_buckets = 16, g_entries;
static pthread_mutex_t g_store = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static size_t bucket_of(const char *key) {
  size_t hash = 5381;
  for (; *key; key++)
    hash = hash * 33 + (unsigned char)*key;
  return hash % g_buckets;
}
__attribute__((noinline)) static Entry **find(const char *key) {
  Entry **at = &g_table[bucket_of(key)];
  while (*at && strcmp((*at)->key, key))
    at = &(*at)->next;
  return at;
}
__attribute__((noinline)) static void grow(void) {
  Entry **old = g_table;
  size_t before = g_buckets;
  g_buckets *= 2;
  MUST((g_table = calloc(g_buckets, sizeof *g_table)) != NULL);
  for (size_t i = 0; i < before; i++)
    for (Entry *entry = old[i], *next; entry; entry = next) {
      next = entry->next;
      Entry **at = &g_table[bucket_of(entry->key)];
      entry->next = *at;
      *at = entry;
    }
  free(old);
}

// ---- Values that are replaced are freed by another thread.

typedef struct Garbage {
  struct Garbage *next;
  char *value;
} Garbage;
static Garbage *g_garbage;
static pthread_mutex_t g_garbage_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t g_garbage_is_there = PTHREAD_COND_INITIALIZER;

__attribute__((noinline)) static void free_later(char *value) {
  Garbage *one = malloc(sizeof *one);
  MUST(one != NULL);
  one->value = value;
  pthread_mutex_lock(&g_garbage_lock);
  one->next = g_garbage;
  g_garbage = one;
  pthread_cond_signal(&g_garbage_is_there);
  pthread_mutex_unlock(&g_garbage_lock);
}
static void *collect(void *unused) {
  for (;;) {
    pthread_mutex_lock(&g_garbage_lock);
    while (!g_garbage)
      pthread_cond_wait(&g_garbage_is_there, &g_garbage_lock);
    Garbage *all = g_garbage;
    g_garbage = NULL;
    pthread_mutex_unlock(&g_garbage_lock);
    for (Garbage *next; all; all = next) {
      next = all->next;
      free(all->value);
      free(all);
    }
  }
  return unused;
}

// ---- Commands: "SET key value", "GET key", "DEL key", a line each. An answer is a line.

__attribute__((noinline)) static char *answer(char *line) {
  char *rest = NULL, *verb = strtok_r(line, " ", &rest), *key = strtok_r(NULL, " ", &rest), *result = NULL;
  MUST(verb && key);
  turn();
  pthread_mutex_lock(&g_store);
  Entry **at = find(key), *entry = *at;
  if (!strcmp(verb, "GET")) {
    result = strdup(entry ? entry->value : "none");
  } else if (!strcmp(verb, "DEL")) {
    if (entry) {
      *at = entry->next;
      free_later(entry->value);
      free(entry->key);
      free(entry);
      g_entries--;
    }
    result = strdup("gone");
  } else {
    if (entry) {
      free_later(entry->value);
    } else {
      MUST((entry = calloc(1, sizeof *entry)) && (entry->key = strdup(key)));
      *at = entry;
      g_entries++;
    }
    MUST((entry->value = strdup(rest)) != NULL);
    result = strdup("set");
    if (g_entries > 2 * g_buckets)
      grow();
  }
  pthread_mutex_unlock(&g_store);
  MUST(result != NULL);
  return result;
}

// ---- Connections, of two threads with a set each.

typedef struct {
  int socket;
  size_t have;
  char *text; // received text, not whole lines
} Connection;
static int g_sets[2];
static volatile sig_atomic_t g_signals;

__attribute__((noinline)) static void on_signal(int number) { g_signals += number == SIGALRM; }

__attribute__((noinline)) static void send_line(int socket, const char *text) {
  size_t bytes = strlen(text);
  char *line = malloc(bytes + 1);
  MUST(line != NULL);
  memcpy(line, text, bytes);
  line[bytes] = '\n';
  for (size_t done = 0; done < bytes + 1;) {
    ssize_t sent = send(socket, line + done, bytes + 1 - done, MSG_NOSIGNAL);
    MUST(sent > 0);
    done += (size_t)sent;
  }
  free(line);
}
__attribute__((noinline)) static int serve_connection(Connection *connection) {
  char part[4096];
  ssize_t bytes = recv(connection->socket, part, sizeof part, 0);
  if (bytes <= 0) {
    MUST(bytes == 0 || errno == ECONNRESET);
    close(connection->socket);
    free(connection->text);
    free(connection);
    return 0;
  }
  MUST((connection->text = realloc(connection->text, connection->have + (size_t)bytes + 1)) != NULL);
  memcpy(connection->text + connection->have, part, (size_t)bytes);
  connection->have += (size_t)bytes;
  connection->text[connection->have] = '\0';
  char *line = connection->text;
  for (char *end; (end = strchr(line, '\n')); line = end + 1) {
    *end = '\0';
    char *text = answer(line);
    send_line(connection->socket, text);
    free(text);
  }
  connection->have -= (size_t)(line - connection->text);
  memmove(connection->text, line, connection->have + 1);
  return 1;
}
__attribute__((noinline)) static void add_to(int set, int socket) {
  Connection *connection = calloc(1, sizeof *connection);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
  MUST(connection != NULL);
  connection->socket = socket;
  MUST(epoll_ctl(set, EPOLL_CTL_ADD, socket, &event) == 0);
}
// Only a handler ends a wait early.
static void serve_set(int set, int listener) {
  struct epoll_event events[16];
  sig_atomic_t before = g_signals;
  int count = epoll_wait(set, events, 16, 1000);
  MUST(count >= 0 || (errno == EINTR && g_signals != before));
  for (int i = 0; i < count; i++)
    if (events[i].data.ptr) {
      serve_connection(events[i].data.ptr);
    } else {
      static unsigned turn_of;
      int socket = accept(listener, NULL, NULL);
      MUST(socket >= 0);
      add_to(g_sets[turn_of++ % 2], socket);
    }
}
static void *serve_other(void *unused) {
  for (;;)
    serve_set(g_sets[1], -1);
  return unused;
}

// ---- A client, which knows what each answer must be.

static int ask_for(FILE *stream, const char *wanted, const char *request) {
  char line[4096];
  if (fprintf(stream, "%s\n", request) < 0 || fflush(stream) || !fgets(line, sizeof line, stream))
    return fprintf(stderr, "%s: no answer (errno %d)\n", request, errno), 0;
  line[strcspn(line, "\n")] = '\0';
  return !strcmp(line, wanted) || (fprintf(stderr, "%s: %s, not %s\n", request, line, wanted), 0);
}
static int client(int port, int number) {
  enum { kKeys = 200 };
  static char values[kKeys][1500];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int one = 1, socket_ = socket(AF_INET, SOCK_STREAM, 0);
  MUST(socket_ >= 0 && connect(socket_, (struct sockaddr *)&address, sizeof address) == 0);
  MUST(setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) == 0);
  FILE *stream = fdopen(socket_, "r+");
  unsigned long done = 0;
  for (unsigned random = (unsigned)number; !has_input_ended(); done++) {
    char request[2000];
    random = random * 1103515245 + 12345;
    unsigned key = random >> 8 & 0xff, bytes = 10 + (random >> 12) % 1400;
    if (key >= kKeys || !values[key][0]) {
      key %= kKeys;
      memset(values[key], 'a' + (int)(done % 26), bytes);
      values[key][bytes] = '\0';
      sprintf(request, "SET %d-%u %s", number, key, values[key]);
      if (!ask_for(stream, "set", request))
        return 1;
    } else if (random >> 28 == 0) {
      values[key][0] = '\0';
      sprintf(request, "DEL %d-%u", number, key);
      if (!ask_for(stream, "gone", request))
        return 1;
    } else {
      sprintf(request, "GET %d-%u", number, key);
      if (!ask_for(stream, values[key], request))
        return 1;
    }
    usleep(200); // the machine has other work, too
  }
  printf("%lu\n", done);
  return 0;
}

int main(int count, char **arguments) {
  MUST(count >= 2);
  if (count == 4)
    return client(atoi(arguments[2]), atoi(arguments[3]));
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  struct itimerval each = {{0, 1000}, {0, 1000}};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t bytes = sizeof address;
  struct epoll_event event = {.events = EPOLLIN};
  pthread_t threads[2];
  open_turns(arguments[1]);
  MUST((g_table = calloc(g_buckets, sizeof *g_table)) != NULL);
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  MUST(bind(listener, (struct sockaddr *)&address, bytes) == 0 && listen(listener, 64) == 0);
  MUST(getsockname(listener, (struct sockaddr *)&address, &bytes) == 0);
  for (int i = 0; i < 2; i++)
    MUST((g_sets[i] = epoll_create1(0)) >= 0);
  MUST(epoll_ctl(g_sets[0], EPOLL_CTL_ADD, listener, &event) == 0);
  MUST(sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &each, NULL) == 0);
  // The first thread has all signals: else the kernel may wake one for a signal that another one has taken, by EINTR.
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  MUST(pthread_sigmask(SIG_BLOCK, &alarm, NULL) == 0);
  MUST(pthread_create(&threads[0], NULL, collect, NULL) == 0 && pthread_create(&threads[1], NULL, serve_other, NULL) == 0);
  MUST(pthread_sigmask(SIG_UNBLOCK, &alarm, NULL) == 0);
  g_turns[1] = ntohs(address.sin_port);
  while (!has_input_ended()) {
    turn();
    serve_set(g_sets[0], listener);
  }
}
