// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds one call by its place: the next call of a thread at a depth. A source answers with merged records where calls
// are dense, so the search asks for a smaller time until the record is one call.

import {kOneCall} from './rows.js';

const kColumns = 1000;
const kMostSteps = 40;

/** @typedef {{thread: number, depth: number, at: number}} Place */

/**
 * The first call of a thread at a depth that begins after a time (not at it), or the last one before it.
 * @param {import('./source.js').Source} source
 * @param {{thread: number, depth: number, time: number, forward: boolean, span: number, from?: number, to?: number}} asked
 *   `span`: the time to look at first; `from` and `to`: the time to look at in all
 * @returns {Promise<Place|null>}
 */
export async function next_call(source, {thread, depth, time, forward, span, from = 0, to = Infinity}) {
  for (let wide = Math.max(span, 1), step = 0; step < kMostSteps; step++, wide *= 4) {
    const begin = forward ? time : Math.max(from, time - wide), end = forward ? Math.min(to, time + wide) : time;
    const found = end > begin ? await within(source, {thread, depth, time, forward, from: begin, to: end}) : null;
    if (found) return found;
    if (forward ? end >= to : begin <= from) return null;
  }
  return null;
}

/** @param {import('./source.js').Source} source
 *  @param {{thread: number, depth: number, time: number, forward: boolean, from: number, to: number}} asked
 *  @returns {Promise<Place|null>} */
async function within(source, {thread, depth, time, forward, from, to}) {
  for (let step = 0; step < kMostSteps && to > from; step++) {
    const rows = await source.rows({from, to, columns: kColumns, threads: [thread], depths: depth + 1});
    let best = -1;
    for (let i = 0; i < rows.count; i++) {
      if (rows.depth[i] !== depth) continue;
      const one = (rows.flags[i] & kOneCall) !== 0, start = rows.start[i], end = start + rows.duration[i];
      if (one ? (forward ? start <= time : start >= time) : forward ? end <= time : start >= time) continue;
      if (best < 0 || (forward ? start < rows.start[best] : start > rows.start[best])) best = i;
    }
    if (best < 0) return null;
    if (rows.flags[best] & kOneCall) return {thread, depth, at: rows.start[best]};
    from = Math.max(from, rows.start[best]);
    to = Math.min(to, rows.start[best] + rows.duration[best]);
  }
  return null;
}
