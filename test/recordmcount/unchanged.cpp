// Apart from its additions, the object keeps every section, byte for byte, where it was.
// REQUIRES: gcc
// RUN: %gxx -g -pg -mfentry -c %s -o %t.o && cp %t.o %t.before && %recordmcount --keep-calls %t.o
// RUN: %unchanged %readelf %t.before %t.o
#include <string>
inline int shared(int a) { static int n; return n += a; }
static int local(const std::string &s) { return (int)s.size(); }
int all(int a) try { return shared(a) + local("text"); } catch (...) { return 1; }
