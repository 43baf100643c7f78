// Debug information: parameters of several kinds, inlined and static functions.
struct pair { long a; double b; };
static int helper(int a, const char *b) { return a + *b; }
double with_pair(struct pair p, float f) { return p.a + p.b + f; }
int call(int a, char *b, ...) { return helper(a, b) + helper(a + 1, b); }
