// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of `nophook view`: files that are installed beside the command, and all of them in one
// file together with a recording.

#pragma once

#include "show/view/api.h"

namespace nophook {

// A file of the page: "index.html", "main.js". 404 for what is none of its files.
ViewAnswer page_file(const std::string &name);

struct SinglePage {
  std::string html;
  uint64_t calls = 0;    // in it
  uint64_t left_out = 0; // the calls that did not find room: the shortest, of the whole recording
  uint64_t notes_left_out = 0; // the calls in it whose arguments and results did not find room
};

// At most `bytes` long, unless the page without calls is longer.
Result<SinglePage> single_page(RecordingIndex &index, ViewApi &api, uint64_t bytes);

} // namespace nophook
