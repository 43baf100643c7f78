// A program that can be patched: each line of its input is given to step(), and a path is loaded.
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    step(const char *word);

int main(void) {
  char line[4096];
  setvbuf(stdout, NULL, _IOLBF, 0);
  while (fgets(line, sizeof(line), stdin)) {
    line[strcspn(line, "\n")] = 0;
    if (line[0] != '/')
      step(line);
    else if (!dlopen(line, RTLD_NOW))
      puts(dlerror());
    puts("--");
  }
}
