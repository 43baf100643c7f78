// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "read/recording/tracer_form.h"

#include "foundation/tracer_rows.h"

namespace nophook {

// Older recordings have only the name and, if it was unknown, not even that.
std::string tracer_of(const Recording &recording) {
  std::string tracer = recording.info().text("tracer");
  return tracer.empty() ? "function_graph" : tracer;
}

uint32_t tracer_form(const Recording &recording) {
  const TracerRow *row = find_tracer(tracer_of(recording));
  int64_t form = recording.info().number("tracer_form");
  return form ? (uint32_t)form : row ? row->form : NOPHOOK_FORM_CALLS;
}

bool is_graph_recording(const Recording &recording) {
  uint32_t form = tracer_form(recording);
  return form == NOPHOOK_FORM_GRAPH || form == NOPHOOK_FORM_COUNTS;
}

bool is_profile_recording(const Recording &recording) {
  return nophook_form_is_profile(tracer_form(recording));
}

bool has_counts_only(const Recording &recording) {
  return tracer_form(recording) == NOPHOOK_FORM_HITS;
}

} // namespace nophook
