// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A selection against a second, earlier recording. The recordings may be of any length, so shares of time are compared: a
// function that took 10 % before and takes 15 % in the selection has grown by 5 points. Functions are the same if their
// full names and the file names of their modules are; in a build with another file name, the full name alone decides.

/** @typedef {import('./source.js').Functions} Functions */
/** @typedef {import('./source.js').TableRow} TableRow */
/** @typedef {import('./flame_layout.js').Frame} Frame */

/**
 * @typedef {object} Others the second recording's numbers for a function
 * @property {number} other_calls
 * @property {number} other_own
 * @property {number} other_total
 * @property {number} other_p99
 * @property {number} other_max
 * @property {number} change of the share of own time
 * @typedef {TableRow & Others} ComparedRow
 */

/** @param {string} module */
const file_name = module => module.slice(module.lastIndexOf('/') + 1);

/**
 * The number in one recording of each function of another. A function that is only in the other one is added.
 * @param {Functions} functions gets more @param {Functions} other @returns {number[]}
 */
export function numbers_in(functions, other) {
  const exact = new Map(), by_name = new Map();
  functions.full.forEach((full, i) => {
    exact.set(`${file_name(functions.module[i] ?? '')}\0${full}`, i);
    by_name.set(full, i);
  });
  return other.full.map((full, i) => {
    const found = exact.get(`${file_name(other.module[i] ?? '')}\0${full}`) ?? by_name.get(full);
    if (found !== undefined) return found;
    const number = functions.full.length;
    functions.short.push(other.short[i]);
    functions.full.push(full);
    functions.file.push(other.file[i] ?? '');
    functions.module.push(other.module[i] ?? '');
    by_name.set(full, number);
    return number;
  });
}

/** @param {number} part @param {number} all */
const share = (part, all) => all > 0 ? part / all : 0;

/**
 * @param {TableRow[]} table @param {TableRow[]} other @param {number[]} numbers of numbers_in()
 * @returns {ComparedRow[]} a row for each function of one of them
 */
export function compared_table(table, other, numbers) {
  const all = table.reduce((sum, row) => sum + row.own, 0), other_all = other.reduce((sum, row) => sum + row.own, 0);
  /** @type {Map<number, ComparedRow>} */
  const rows = new Map();
  const none = {other_calls: 0, other_own: 0, other_total: 0, other_p99: 0, other_max: 0, change: 0};
  for (const row of table) rows.set(row.function, {...row, ...none});
  for (const row of other) {
    const fn = numbers[row.function];
    const at = rows.get(fn) ?? {function: fn, calls: 0, own: 0, total: 0, p50: 0, p90: 0, p99: 0, max: 0, histogram: [], ...none};
    rows.set(fn, at);
    // Two functions of one name add up.
    at.other_calls += row.calls;
    at.other_own += row.own;
    at.other_total += row.total;
    at.other_p99 = Math.max(at.other_p99, row.p99);
    at.other_max = Math.max(at.other_max, row.max);
  }
  for (const row of rows.values()) row.change = share(row.own, all) - share(row.other_own, other_all);
  return [...rows.values()];
}

/** @param {import('./source.js').Tree} tree @param {number[]} numbers @returns {import('./source.js').Tree} */
export const renumbered = (tree, numbers) => ({...tree, function: tree.function.map(fn => numbers[fn])});

/**
 * How much larger the share of each frame is than that of the same frame, by its path, of another graph.
 * @param {Frame} root @param {Frame} other @returns {{changes: Map<Frame, {change: number, other: Frame[]}>, most: number}}
 *   `most`: the largest change of all, up or down
 */
export function frame_changes(root, other) {
  const changes = new Map();
  let most = 0;
  /** @type {[Frame, Frame[]][]} */
  const todo = [[root, [other]]];
  for (let next; (next = todo.pop());) {
    const [frame, others] = next, change = share(frame.total, root.total) - share(sum_of(others), other.total);
    changes.set(frame, {change, other: others});
    if (frame !== root) most = Math.max(most, Math.abs(change));
    for (const child of frame.children)
      todo.push([child, others.flatMap(same => same.children.filter(one => one.function === child.function))]);
  }
  return {changes, most};
}

/** @param {Frame[]} frames */
export const sum_of = frames => frames.reduce((sum, frame) => sum + frame.total, 0);

/** "+1.5 %", "−0.3 %", "±0 %": points of share. @param {number} change */
export function points(change) {
  const value = change * 100, text = Math.abs(value).toFixed(Math.abs(value) < 0.095 ? 2 : 1);
  return Number(text) === 0 ? '±0 %' : `${value < 0 ? '−' : '+'}${text} %`;
}
