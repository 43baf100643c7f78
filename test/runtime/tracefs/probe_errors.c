// The error of a probe's text is said in the kernel's words, with a caret under the place.
// RUN: %traced_cc -O1 %s -o %t %linked && %t
#include "tree.h"

NOINLINE void empty(int number) { KEEP(number); }

// The place of `^` in the line is that of the wrong part.
UNTRACED static void expect(const char *line, const char *caret, const char *reason) {
  EXPECT_EQ(echo(line, "dynamic_events", 1), -EINVAL);
  char wanted[512];
  snprintf(wanted, sizeof wanted, "error: %s\n  Command: %s\n           %s\n", reason, line, caret);
  const char *log = cat("error_log");
  EXPECT(strstr(log, wanted) != NULL);
  if (!strstr(log, wanted))
    fprintf(stderr, "wanted:\n%shave:\n%s", wanted, log);
  EXPECT_EQ(echo("", "error_log", 0), 0);
}

UNTRACED int main(void) {
  empty(1);
  expect("x:foo empty", "^", "Invalid probed address or symbol");
  expect("f:foo nothing", "      ^", "Invalid probed address or symbol");
  expect("f:foo empty*", "      ^", "Invalid probed address or symbol");
  expect("p:foo empty+1", "           ^", "Probe point is not an instruction boundary");
  expect("f:foo empty%retur", "           ^", "Invalid probed address suffix");
  expect("p5:foo empty", " ^", "Maxactive is only for function exit");
  expect("r9999:foo empty", " ^", "Maxactive is too big");
  expect("p:/foo empty", "  ^", "Group name is not specified");
  expect("p:1a/foo empty", "  ^", "Group name must follow the same rules as C identifiers");
  expect("p: empty", "  ^", "Event name is not specified");
  expect("p:f-o empty", "  ^", "Event name must follow the same rules as C identifiers");
  expect("p empty $retval", "        ^", "$retval is not available on probe");
  expect("r empty $retval", "        ^", "This function returns 'void' type");
  expect("p empty $stack9999", "              ^", "Invalid stack number");
  expect("p empty $arg0", "            ^", "Invalid argument number");
  expect("p empty $arg2", "        ^", "$argN index is too big");
  expect("p empty $nope", "        ^", "Invalid $-valiable specified");
  expect("p empty %rdi", "         ^", "Invalid register name or number");
  expect("p empty @nothing", "         ^", "Invalid memory address");
  expect("p empty \\x", "         ^", "Invalid immediate value");
  expect("p empty \\\"x", "         ^", "String is not closed with '\"'");
  expect("p empty +x(%di)", "         ^", "Invalid dereference offset");
  expect("p empty +0%di", "          ^", "Dereference needs a brace");
  expect("p empty +0(%di", "              ^", "Dereference brace is not closed");
  expect("p empty +0($comm)", "        ^", "$comm can not be dereferenced");
  expect("p empty ~", "        ^", "Invalid fetch argument");
  expect("p empty nobody", "        ^", "This variable is not found at this probe point");
  expect("p empty number->m", "                ^", "This is not a pointer to union/structure.");
  expect("p empty number.m", "               ^", "Non pointer structure/union argument is not supported.");
  expect("r empty $retval->m", "                 ^", "This is not a pointer to union/structure.");
  expect("p empty $arg1->m", "        ^", "Invalid $-valiable specified");
  expect("p empty %di:u9", "            ^", "Unknown type is specified");
  expect("p empty %di:string", "            ^", "String accepts only memory argument");
  expect("p empty $comm:u8", "              ^", "$comm and immediate-string only accepts string type");
  expect("p empty %di:b9@9/16", "            ^", "Invalid bitfield");
  expect("p empty +0(%di):u8[2", "                  ^", "Array is not closed");
  expect("p empty +0(%di):u8[0]", "                   ^", "Invalid array size");
  expect("p empty +0(%di):u8[65]", "                   ^", "Array number is too big");
  expect("p empty =%di", "        ^", "Argument name is not specified");
  expect("p empty 1a=%di", "        ^", "Argument name must follow the same rules as C identifiers");
  expect("p empty a=%di a=%si", "              ^", "This argument name is already used");
  expect("p empty a=", "          ^", "No argument expression");
  EXPECT_TEXT("dynamic_events", "");
  return failures;
}
