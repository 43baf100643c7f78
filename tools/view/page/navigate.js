// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds one call by its place: the next hit of a search, the next call of a thread at a depth. A source answers with
// merged records where calls are dense, so each search asks for a smaller time until the record is one call.

import {kOneCall, row} from './rows.js';

const kColumns = 1000;
const kMostSteps = 40;
const kMostRows = 60; // requests that one search for a hit may send

/** @typedef {{thread: number, depth: number, at: number}} Place */

/**
 * The first call of some functions that begins after a time, or the last one before it.
 * @param {import('./source.js').Source} source
 * @param {{functions: number[], time: number, forward: boolean, duration: number}} asked
 * @returns {Promise<Place|null>}
 */
export async function next_hit(source, {functions, time, forward, duration}) {
  let from = forward ? time : 0, to = forward ? duration + 1 : time;
  const wanted = new Set(functions), budget = {left: kMostRows};
  for (let step = 0; step < kMostSteps && from < to; step++) {
    const {spans} = await source.hits({functions, from, to, columns: kColumns});
    if (!spans.length) return null;
    const [thread, begin, end] = spans.reduce((best, other) => (forward ? other[1] < best[1] : other[2] > best[2]) ? other : best);
    const range = {from: Math.max(from, begin), to: Math.min(to, end + 1)};
    const found = await hit_within(source, {...range, thread, wanted, forward, budget});
    if (found) return found;
    // A span may be as coarse as a block of the index, and hold no hit on this side.
    if (forward) from = Math.max(range.to, from + 1);
    else to = Math.min(range.from, to - 1);
  }
  return null;
}

/**
 * @param {import('./source.js').Source} source
 * @param {{thread: number, from: number, to: number, wanted: Set<number>, forward: boolean, budget: {left: number}}} asked
 * @returns {Promise<Place|null>}
 */
async function hit_within(source, asked) {
  const {thread, from, to, wanted, forward, budget} = asked;
  if (budget.left-- <= 0) return null;
  const rows = await source.rows({from, to, columns: 2 * kColumns, threads: [thread], depths: 65535});
  const records = [];
  for (let i = 0; i < rows.count; i++) {
    const record = row(rows, i), one = (record.flags & kOneCall) !== 0;
    if (one ? wanted.has(record.function) && record.start >= from && record.start < to : record.start + record.duration > from)
      records.push(record);
  }
  records.sort((a, b) => forward ? a.start - b.start || a.depth - b.depth : b.start - a.start || b.depth - a.depth);
  for (const record of records) {
    if (record.flags & kOneCall) return {thread, depth: record.depth, at: record.start};
    const inside = {from: Math.max(from, record.start), to: Math.min(to, record.start + record.duration)};
    const smaller = inside.to - inside.from < (to - from) / 2;
    const found = smaller ? await hit_within(source, {...asked, ...inside}) : null;
    if (found) return found;
  }
  return null;
}

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
