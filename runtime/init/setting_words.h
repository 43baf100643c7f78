// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grammar of NOPHOOK=: words between blanks, KEY=VALUE or a name alone.

#pragma once

#include "base/bytes.h"
#include "base/log.h"
#include "base/status.h"

#include <stdint.h>

namespace nophook {

struct SettingWord {
  const char *text;
  uint64_t bytes;
  const char *value; // text behind the `=`; null: there is none
  uint64_t key_bytes, value_bytes;

  bool is(const char *name) const { return is_text(text, bytes, name); }
};

// Calls `carry_out` for each word of `text`; it returns a Status. A word that is wrong is named in
// the log and left out; the program runs on.
template <class CarryOut> void each_setting_word(const char *text, CarryOut carry_out) {
  while (*text) {
    SettingWord word = {text, 0, nullptr, 0, 0};
    for (; text[word.bytes] && text[word.bytes] != ' '; word.bytes++)
      if (text[word.bytes] == '=' && !word.value)
        word.value = text + word.bytes + 1;
    word.key_bytes = word.value ? (uint64_t)(word.value - text) - 1 : word.bytes;
    word.value_bytes = word.value ? word.bytes - word.key_bytes - 1 : 0;
    Status status = word.bytes ? carry_out(word) : Status{};
    LogText line;
    if (!status.ok())
      log_refusal(line.add("NOPHOOK: ").add(text, word.bytes).add(": ").add(status.reason));
    text += word.bytes + (text[word.bytes] != 0);
  }
}

} // namespace nophook
