// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page of `nophook view`: files that are installed beside the command, and all of them in one
// file together with a recording.

#pragma once

#include "show/view/api.h"

namespace nophook {

// A file of the page: "index.html", "main.js". The answer for any other name is 404.
ViewAnswer page_file(const std::string &name);

struct SinglePage {
  std::string html;
  uint64_t calls = 0;          // number of calls in it
  uint64_t left_out = 0;       // number of calls without room: the shortest of the recording
  uint64_t notes_left_out = 0; // number of its calls whose arguments and results found no room
};

// Makes a page of at most `bytes`, unless the page without calls is longer.
Result<SinglePage> single_page(RecordingIndex &index, ViewApi &api, uint64_t bytes);

} // namespace nophook
