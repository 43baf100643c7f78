// Text is shown as it is: bytes that are no UTF-8, and control characters, as such, also as JSON.
// RUN: %traced_cc %s -o %t && %nophook record --args -l say -o %t.data -- %t && %nophook report %t.data | FileCheck %s
// RUN: %nophook report --json %t.data | %python -c "import json, sys; print(*(json.loads(l)['arguments'][0]['value'] for l in sys.stdin.buffer), sep='\n')" | FileCheck %s --check-prefix=JSON
__attribute__((noinline, used)) void say(const char *text) { __asm__ volatile("" : : "g"(text) : "memory"); }
int main(void) {
  say("who?");
  say("b\xe4r \xff\x80 \xe2\x82");
  say("b\xc3\xa4r \xe2\x82\xac \xf0\x9f\x90\xbb");
  say("\x1b[31m\x7f\t\n\xc2\x9b");
}
// CHECK: say(text="who?");
// CHECK: say(text="b\xe4r \xff\x80 \xe2\x82");
// CHECK: say(text="bär € 🐻");
// CHECK: say(text="\x1b[31m\x7f\t\n\xc2\x9b");
// JSON: "who?"
// JSON: "b\xe4r \xff\x80 \xe2\x82"
// JSON: "bär € 🐻"
// JSON: "\x1b[31m\x7f\t\n\xc2\x9b"
