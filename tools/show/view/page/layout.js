// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The position of each thread in the timeline. A thread is expanded (a row of text height for each depth) or collapsed
// (its first levels squeezed into one row, as a thumbnail of its calls). A page with 1,000 threads draws only the
// visible ones: blocks are sorted by y, and a binary search finds the first.
//
// A block is the thread's calls now. A further track of a thread, such as its off-CPU time, becomes a lane of the
// same block: its height is added in block_height(), and lanes stand above the calls.

export const kRow = 18; // an expanded level
export const kCollapsed = 22; // the levels of a collapsed thread together
const kCollapsedLevels = 10;
const kProcess = 22;
const kPadding = 3;
const kFewRows = 150; // so many are expanded at first

/**
 * @typedef {object} Block
 * @property {number} thread -1: the heading of a process
 * @property {number} process
 * @property {number} y
 * @property {number} height
 * @property {number} top the first level's y
 * @property {number} levels that are drawn
 * @property {number} level_height
 * @property {boolean} expanded
 */

/** @typedef {{blocks: Block[], height: number, by_thread: Map<number, Block>}} Layout */

/** The first thread of a process above its others. @param {import('./source.js').Recording} recording */
export function in_order(recording) {
  const later = (/** @type {import('./source.js').Thread} */ thread) => thread.tid === thread.pid ? 0 : 1;
  return {...recording, threads: [...recording.threads].sort((a, b) =>
    a.process - b.process || later(a) - later(b) || a.tid - b.tid || a.id - b.id)};
}

/** Whether threads are expanded at first. @param {import('./source.js').Recording} recording */
export function expanded_at_first(recording) {
  const rows = recording.threads.reduce((sum, thread) => sum + Math.max(1, thread.depth), 0);
  return rows <= kFewRows || recording.threads.length <= 4;
}

/**
 * @param {import('./source.js').Recording} recording
 * @param {{expanded: 'all'|'none'|null, toggled: number[]}} state
 * @returns {Layout}
 */
export function make_layout(recording, state) {
  const usually = state.expanded ? state.expanded === 'all' : expanded_at_first(recording);
  const toggled = new Set(state.toggled);
  /** @type {Layout} */
  const layout = {blocks: [], height: 0, by_thread: new Map()};
  const headings = recording.processes.length > 1;
  for (const process of recording.processes) {
    const threads = recording.threads.filter(thread => thread.process === process.index);
    if (!threads.length) continue;
    if (headings) {
      layout.blocks.push({thread: -1, process: process.index, y: layout.height, height: kProcess, top: layout.height,
        levels: 0, level_height: 0, expanded: true});
      layout.height += kProcess;
    }
    for (const thread of threads) {
      const block = thread_block(thread, layout.height, usually !== toggled.has(thread.id));
      layout.blocks.push(block);
      layout.by_thread.set(thread.id, block);
      layout.height += block.height;
    }
  }
  return layout;
}

/** @param {import('./source.js').Thread} thread @param {number} y @param {boolean} expanded @returns {Block} */
function thread_block(thread, y, expanded) {
  const depth = Math.max(1, thread.depth);
  const levels = expanded ? depth : Math.min(depth, kCollapsedLevels);
  const level_height = expanded ? kRow : Math.min(kRow, kCollapsed / levels);
  const height = (expanded ? Math.max(levels * kRow, kCollapsed) : kCollapsed) + 2 * kPadding;
  return {thread: thread.id, process: thread.process, y, height, top: y + kPadding, levels, level_height, expanded};
}

/** The blocks that touch [top, bottom). @param {Layout} layout @param {number} top @param {number} bottom */
export function blocks_between(layout, top, bottom) {
  let low = 0, high = layout.blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (layout.blocks[middle].y + layout.blocks[middle].height <= top) low = middle + 1;
    else high = middle;
  }
  const found = [];
  for (let i = low; i < layout.blocks.length && layout.blocks[i].y < bottom; i++) found.push(layout.blocks[i]);
  return found;
}

/** The thread and depth at y. @param {Layout} layout @param {number} y */
export function at_height(layout, y) {
  const block = blocks_between(layout, y, y + 1)[0];
  if (!block || block.thread < 0) return null;
  const depth = Math.floor((y - block.top) / block.level_height);
  return {block, depth: depth >= 0 && depth < block.levels ? depth : -1};
}

/** A few of many, evenly. @template T @param {T[]} list @param {number} most @returns {T[]} */
export function sample(list, most) {
  if (list.length <= most) return list;
  return Array.from({length: most}, (_, i) => list[Math.floor(i * list.length / most)]);
}
