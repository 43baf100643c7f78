// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flame graph from the tree of merged calls: callers first, or upside down. Upside down, each function with time of
// its own is a root, and its callers stand on it; only that own time is added up, so no time is counted twice.

/**
 * @typedef {object} Frame
 * @property {number} function -1: all
 * @property {number} calls
 * @property {number} total
 * @property {number} own
 * @property {Frame|null} parent
 * @property {Frame[]} children the widest first
 * @property {number} depth
 */

/** @param {number} fn @param {Frame|null} parent @returns {Frame} */
function new_frame(fn, parent) {
  return {function: fn, calls: 0, total: 0, own: 0, parent, children: [], depth: parent ? parent.depth + 1 : 0};
}

/** @param {Frame} frame */
function finish(frame) {
  const todo = [frame];
  for (let next; (next = todo.pop());) {
    next.children.sort((a, b) => b.total - a.total || a.function - b.function);
    todo.push(...next.children);
  }
  return frame;
}

/** @param {import('./source.js').Tree} tree @returns {Frame} */
export function callers_first(tree) {
  const root = new_frame(-1, null);
  /** @type {Frame[]} */
  const frames = [];
  tree.function.forEach((fn, i) => {
    const parent = tree.parent[i] < 0 ? root : frames[tree.parent[i]];
    const frame = new_frame(fn, parent);
    frame.calls = tree.calls[i];
    frame.total = tree.total[i];
    frame.own = tree.own[i];
    parent.children.push(frame);
    frames.push(frame);
    if (parent === root) {
      root.total += frame.total;
      root.calls += frame.calls;
    }
  });
  return finish(root);
}

/** @param {import('./source.js').Tree} tree @returns {Frame} */
export function callees_first(tree) {
  const root = new_frame(-1, null);
  /** @type {Map<Frame, Map<number, Frame>>} */
  const known = new Map();
  tree.function.forEach((_, i) => {
    const own = tree.own[i];
    if (!(own > 0)) return;
    root.total += own;
    root.calls += tree.calls[i];
    let frame = root;
    for (let node = i; node >= 0; node = tree.parent[node]) {
      const children = known.get(frame) ?? new Map();
      known.set(frame, children);
      let child = children.get(tree.function[node]);
      if (!child) {
        child = new_frame(tree.function[node], frame);
        children.set(tree.function[node], child);
        frame.children.push(child);
      }
      child.total += own;
      child.calls += tree.calls[i];
      if (frame === root) child.own += own;
      frame = child;
    }
  });
  return finish(root);
}

/** The frame that a path of functions leads to, as far as it is there. @param {Frame} root @param {number[]} path */
export function frame_at(root, path) {
  let frame = root;
  for (const fn of path) {
    const child = frame.children.find(child => child.function === fn);
    if (!child) break;
    frame = child;
  }
  return frame;
}

/** @param {Frame} frame @returns {number[]} */
export function path_of(frame) {
  const path = [];
  for (let f = frame; f.parent; f = f.parent) path.unshift(f.function);
  return path;
}

/**
 * Rectangles in a width: the frames above the zoomed one fill it, the zoomed one's callees share it.
 * @param {Frame} zoomed @param {number} width @param {number} least narrower frames are left out
 * @returns {{frame: Frame, x: number, width: number, level: number, above: boolean}[]}
 */
export function flame_rectangles(zoomed, width, least = 0.5) {
  const found = [];
  for (let f = zoomed.parent; f; f = f.parent) found.unshift({frame: f, x: 0, width, level: f.depth, above: true});
  /** @type {[Frame, number, number][]} */
  const todo = [[zoomed, 0, width]];
  for (let next; (next = todo.pop());) {
    const [frame, x, wide] = next;
    found.push({frame, x, width: wide, level: frame.depth, above: false});
    const sum = Math.max(frame.total, frame.children.reduce((sum, child) => sum + child.total, 0));
    let at = x;
    for (const child of frame.children) {
      const share = sum > 0 ? wide * child.total / sum : 0;
      if (share < least) break; // the children are sorted
      todo.push([child, at, share]);
      at += share;
    }
  }
  return found;
}
