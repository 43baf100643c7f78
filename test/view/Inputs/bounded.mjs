// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks at a page whose recording has more calls than 20 MB hold:
//   node bounded.mjs PAGE.html

import assert from 'node:assert/strict';
import fs from 'node:fs';
import {embedded_in} from './compare.mjs';

const file = process.argv[2], {size} = fs.statSync(file), source = embedded_in(file), {page} = source;
assert.ok(size <= 20 * 2 ** 20 && size > 15 * 2 ** 20, `${size} bytes`);
assert.equal(source.count + page.left_out.calls, page.recording.calls);
assert.ok(page.left_out.calls > 0 && page.left_out.values > 0);
// The longest ones have their values: each call that has none is at most as long as each that has some.
const noted = Object.keys(page.notes).map(Number), with_values = new Set(noted), takes_some = new Set(noted.map(i => source.function[i]));
const least = noted.reduce((least, i) => Math.min(least, source.duration[i]), Infinity);
let without = 0;
for (let i = 0; i < source.count; i++)
  if (takes_some.has(source.function[i]) && !with_values.has(i) && !(source.flags[i] & 2)) {
    without++;
    assert.ok(source.duration[i] <= least, `call ${i} of ${source.duration[i]} ns has no values, one of ${least} ns has some`);
  }
assert.ok(without > 0);
console.log(`bounded: ${source.count} of ${page.recording.calls} calls, ${noted.length} with values`);
