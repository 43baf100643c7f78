// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers about a part of the timeline, kept while they are useful. A view asks in each frame, and is answered at once
// with the best that is there; if that is not good enough, one request is sent, for half a screen more on each side.
// While it is under way no other is sent, and then only for what is in view by that time.

/**
 * @typedef {object} Window
 * @property {number} from
 * @property {number} to
 * @property {number} columns pixels
 * @property {number[]} threads in view
 * @property {number[]} [around] threads to ask for, if more than those in view
 * @property {number} depths
 * @property {string} [key] answers for another key are of no use
 */

/** @template T @typedef {{from: number, to: number, width: number, threads: Set<number>, depths: number, key: string, value: T, generation: number}} Entry */

const kKept = 8;

/** @template T */
export class WindowCache {
  /**
   * @param {(window: Window) => Promise<T>} load
   * @param {() => void} changed is called when something better is there
   * @param {() => number} duration of the recording
   */
  constructor(load, changed, duration) {
    this.load = load;
    this.changed = changed;
    this.duration = duration;
    /** @type {Entry<T>[]} the newest first */
    this.entries = [];
    /** @type {Window|null} */
    this.next = null;
    this.under_way = false;
    this.generation = 0;
    this.failed = '';
  }

  /** There is more to know now: the pictures stay until the next answer, and so does an answer that is under way. */
  outdate() {
    this.generation++;
    this.failed = '';
  }

  /** @param {Window} window @returns {T|null} */
  want(window) {
    const key = window.key ?? '', width = (window.to - window.from) / window.columns;
    const from = Math.max(0, window.from), to = Math.min(this.duration(), window.to);
    const usable = this.entries.filter(entry => entry.key === key);
    const covers = (/** @type {Entry<T>} */ entry) => entry.from <= from && entry.to >= to;
    const complete = (/** @type {Entry<T>} */ entry) =>
      entry.depths >= window.depths && window.threads.every(thread => entry.threads.has(thread));
    const good = usable.find(entry =>
      entry.generation === this.generation && covers(entry) && complete(entry) && entry.width <= width * 1.001 && entry.width > width / 2.5);
    if (!good) this.request({...window, key});
    const best = good ?? usable.find(entry => covers(entry) && complete(entry)) ?? usable.find(covers) ?? usable[0];
    return best ? best.value : null;
  }

  /** @param {Window} window */
  request(window) {
    if (this.failed === JSON.stringify(window)) return;
    this.next = window;
    if (!this.under_way) this.send();
  }

  async send() {
    const window = this.next;
    if (!window) return;
    this.next = null;
    this.under_way = true;
    const generation = this.generation, span = window.to - window.from;
    const from = Math.max(0, window.from - span / 2), to = Math.min(this.duration(), window.to + span / 2);
    const columns = Math.max(1, Math.ceil((to - from) / span * window.columns));
    try {
      const threads = window.around ?? window.threads;
      const value = await this.load({...window, from, to, columns, threads});
      this.entries.unshift({from, to, width: (to - from) / columns, threads: new Set(threads),
        depths: window.depths, key: window.key ?? '', value, generation});
      this.entries.length = Math.min(this.entries.length, kKept);
    } catch {
      this.failed = JSON.stringify(window); // the failure has been shown; the same question is not asked again
    }
    this.under_way = false;
    this.changed();
    this.send();
  }
}
