// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of the tree. A file has a text, which is made when it is opened for reading, and an
// action for writes. Its behaviour does not depend on the way by which a client reached it.
//
// Source of the semantics: the kernel's Documentation/trace/ftrace.rst, and the expectations of its
// clients. The text is a snapshot of the moment of opening. An edit is applied in one step when the
// file is closed. Errors are returned by write(), since shells ignore those of close().

#pragma once

#include "ops/filter.h"
#include "tracefs/control_text.h"
#include "tracers/named_settings.h"
#include "tracers/trace_array.h"

namespace nophook {

// The target of an access: the array in whose folder the file is, and the number of the file among
// those with the same functions.
struct FileTarget {
  trace_array &array;
  uint64_t which;
};

// The set that a file of functions edits. Under the runtime's lock, except `follow`.
struct FunctionSet {
  Status (*find)(trace_array &tr, Filter **filter);
  // Replaces it by the edited copy; errors: nothing has changed.
  Status (*replace)(trace_array &tr, Filter *changed);
  Status (*follow)(trace_array &tr); // when the edit is done and the lock free; null: nothing
  bool takes_commands;               // tokens may be commands (tracers/function_commands.h)
  const char *nothing;               // the file's text if the set is empty
};

struct ControlFile {
  enum class Kind : uint8_t {
    kValue,     // each write is a value; white space around it is ignored
    kMessage,   // each write is a message, byte for byte
    kFunctions, // tokens that add to a set of functions, or remove from it
    kFolder     // an empty folder; its path ends in a slash
  };

  const char *path;                          // path within the array's folder
  SettingScope scope = SettingScope::kEvery; // kTop: instances do not have it
  uint64_t which = 0;                        // FileTarget::which
  Kind kind = Kind::kValue;
  Status (*read)(FileTarget at, ControlText &text) = nullptr; // null: write only
  // kValue, kMessage; null: read only.
  Status (*write)(FileTarget at, const char *value, uint64_t bytes) = nullptr;
  // The most bytes of one message; the rest of a write is the next message; 0: no limit.
  uint64_t most_bytes = 0;
  const FunctionSet *functions = nullptr; // kFunctions
  Status (*closed)(FileTarget at) =
      nullptr; // called when a client that could write closes it; null: nothing
  // The action of opening it by O_TRUNC, at once; null: nothing.
  Status (*truncate)(FileTarget at) = nullptr;

  bool can_read() const { return read || functions; }
  bool can_write() const { return write || closed || functions; }
  unsigned mode() const { return (can_read() ? 0400u : 0) | (can_write() ? 0200u : 0); }
};

// The files of the tree, by path, from several translation units. Groups of files that change with
// time are visited for one array: a file and its path are valid while visit() runs.
struct ControlFiles {
  const ControlFile *begin;
  const ControlFile *end;
};
ControlFiles buffer_files();
ControlFiles error_files();
ControlFiles filter_files();
ControlFiles function_files();
ControlFiles livepatch_look_files();
ControlFiles probe_files();
ControlFiles profile_files();
ControlFiles readme_file();
ControlFiles set_event_files();
ControlFiles stack_files();
ControlFiles thread_files();
ControlFiles tracer_files();

using VisitFile = void (*)(void *context, const ControlFile &file);
void visit_event_files(VisitFile visit, void *context);
void visit_livepatch_files(VisitFile visit, void *context);
void visit_option_files(VisitFile visit, void *context);
void visit_setting_files(VisitFile visit, void *context);

// The text of a set of functions, and of the array's triggers if it takes commands.
Status read_function_set(const FunctionSet &set, trace_array &tr, ControlText &text);

} // namespace nophook
