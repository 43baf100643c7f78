// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stands in the tree: files with a text that is made when they are opened for reading, and
// with something that happens when they are written to. No file knows by which door somebody has
// come.
//
// Source of the semantics: the kernel's Documentation/trace/ftrace.rst, and what its clients rely
// on: the text is a snapshot of the moment of opening; an edit is applied when the file is closed,
// whole; errors are those of write(), since shells do not look at close().

#pragma once

#include "ops/filter.h"
#include "tracefs/control_text.h"

namespace nophook {

// What a file of functions edits, `which` being the file's. Under the runtime's lock, but for
// `settle`.
struct FunctionSet {
  Status (*find)(uint64_t which, Filter **filter);
  Status (*replace)(uint64_t which,
                    Filter *changed); // by one whose copy has been edited; errors: nothing changed
  Status (*settle)();                 // when the edit is done and the lock free; null: nothing
  bool takes_commands;                // tokens may be triggers (tracers/triggers.h)
};

struct ControlFile {
  enum class Kind : uint8_t {
    kValue,    // each write is a value; white space around it is none of it
    kMessage,  // each write is one, byte for byte
    kFunctions // tokens that add to a set of functions, or take away from it
  };

  const char *path;   // within the tree
  uint64_t which = 0; // for files of which there are several: which of them
  Kind kind = Kind::kValue;
  Status (*read)(ControlText &text) = nullptr;                  // null: write only
  Status (*write)(const char *value, uint64_t bytes) = nullptr; // kValue, kMessage
  uint64_t most_bytes = 0; // of a message: what one write takes, the rest is the next; 0: all
  // The same for a file of several.
  Status (*read_of)(uint64_t which, ControlText &text) = nullptr;
  Status (*write_of)(uint64_t which, const char *value, uint64_t bytes) = nullptr;
  const FunctionSet *functions = nullptr;     // kFunctions
  Status (*closed)(uint64_t which) = nullptr; // when who could write closes it; null: nothing
  // What opening it by O_TRUNC does at once; null: nothing.
  Status (*truncate)(uint64_t which) = nullptr;

  bool can_read() const { return read || read_of; }
  bool can_write() const { return write || write_of || closed || kind == Kind::kFunctions; }
  unsigned mode() const { return (can_read() ? 0400u : 0) | (can_write() ? 0200u : 0); }
};

// The tree, by path. Another translation unit for each group of files. A group that is not the same
// at all times is visited: a file and its path hold while visit() runs.
struct ControlFiles {
  const ControlFile *begin;
  const ControlFile *end;
};
ControlFiles function_files();
ControlFiles stack_files();
ControlFiles thread_files();
ControlFiles tracer_files();
ControlFiles error_files();
ControlFiles probe_files();
ControlFiles profile_files();
ControlFiles readme_file();

using VisitFile = void (*)(void *context, const ControlFile &file);
void visit_filter_files(VisitFile visit, void *context);
// Of the main tree (0) or of an instance.
void visit_buffer_files(uint32_t instance, VisitFile visit, void *context);
void visit_error_log(uint32_t instance, VisitFile visit, void *context);
void visit_event_files(uint32_t instance, VisitFile visit, void *context);
void visit_option_files(uint32_t instance, VisitFile visit, void *context);
void visit_set_event_files(uint32_t instance, VisitFile visit, void *context);
void visit_setting_files(VisitFile visit, void *context);
// Of an instance, by their paths in its folder. Who uses one holds the instance.
void visit_instance_files(uint32_t instance, VisitFile visit, void *context);

// The text of a set of functions, and of the triggers of an instance or the main tree if it takes
// commands; `nothing` if it is empty.
Status read_function_set(const FunctionSet &set, uint64_t which, uint32_t instance,
                         const char *nothing, ControlText &text);

} // namespace nophook
