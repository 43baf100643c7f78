// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts that all views share: the recording, the state, and the listeners to changes. A view never calls
// another one; it changes the state, and each view redraws what depends on it.

import {parse_state, print_state, rounded} from './state.js';
import {Palette} from './palette.js';
import {in_order, make_layout} from './layout.js';
import {SourceError} from './source.js';

/** @typedef {import('./state.js').State} State */

const kLeastSpan = 20; // ns, or events

export class App {
  /**
   * @param {import('./source.js').Source} source
   * @param {import('./source.js').Recording} recording
   * @param {import('./source.js').Functions} functions
   */
  constructor(source, recording, functions) {
    this.source = source;
    this.recording = in_order(recording);
    this.functions = functions;
    this.state = parse_state(location.hash);
    /** @type {{keys: string[], react: () => void}[]} */
    this.listeners = [];
    this.waiting = 0;
    /** @type {import('./source.js').Call|null} the facts about the chosen call */
    this.call = null;
    /** @type {number|null} the time under the pointer */
    this.pointer_time = null;
    /** @type {((error: SourceError) => void)|null} shows a failure */
    this.failed = null;
    /** @type {Map<number, import('./source.js').Thread>} */
    this.threads_by_id = new Map();
    /** @type {import('./source.js').Recording|null} whose threads these are */
    this.threads_of = null;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.writing = undefined;
    /** @type {Set<number>} the functions that the search has found */
    this.found = new Set();
    this.system_dark = matchMedia('(prefers-color-scheme: dark)');
    this.system_dark.addEventListener('change', () => this.state.theme ?? this.apply_theme());
    this.dark = this.wants_dark();
    this.palette = new Palette(functions.short, this.dark);
    this.layout = make_layout(this.recording, this.state);
    addEventListener('hashchange', () => this.read_url());
  }

  /**
   * Calls `react` when one of the keys of the state has changed. Other keys: "recording", "palette", "layout", "found".
   * @param {string[]} keys @param {() => void} react
   */
  on(keys, react) {
    this.listeners.push({keys, react});
  }

  /** @param {string[]} changed */
  notify(changed) {
    for (const {keys, react} of this.listeners)
      if (keys.some(key => changed.includes(key))) react();
  }

  /**
   * @param {Partial<State>} patch
   * @param {boolean} push whether Back returns to the state before
   */
  set(patch, push = false) {
    const {from, to, selection} = patch;
    if (typeof from === 'number' && typeof to === 'number') Object.assign(patch, {from: rounded(from), to: rounded(to)});
    if (selection) patch.selection = {...selection, from: rounded(selection.from), to: rounded(selection.to)};
    const changed = Object.keys(patch).filter(key =>
      JSON.stringify(/** @type {any} */ (this.state)[key]) !== JSON.stringify(/** @type {any} */ (patch)[key]));
    if (!changed.length) return;
    if (push) this.write_url();
    Object.assign(this.state, patch);
    this.changed(changed);
    if (push) this.write_url(true);
    else this.write_soon();
  }

  /** @param {string[]} changed */
  changed(changed) {
    if (changed.includes('theme')) {
      this.apply_theme();
    }
    if (changed.some(key => ['expanded', 'toggled', 'recording'].includes(key))) {
      this.layout = make_layout(this.recording, this.state);
      changed.push('layout');
    }
    this.notify(changed);
  }

  write_soon() {
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.write_url(), 150);
  }

  /** @param {boolean} push */
  write_url(push = false) {
    clearTimeout(this.writing);
    const hash = `#${print_state(this.state)}`;
    if (hash === (location.hash || '#')) return;
    if (push) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
  }

  read_url() {
    const state = parse_state(location.hash), before = this.state;
    const changed = Object.keys(state).filter(key =>
      JSON.stringify(/** @type {any} */ (state)[key]) !== JSON.stringify(/** @type {any} */ (before)[key]));
    this.state = state;
    this.changed(changed);
  }

  /** The theme also becomes the document's, whose colours the palette takes. */
  wants_dark() {
    const dark = this.state.theme ? this.state.theme === 'dark' : this.system_dark.matches;
    document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    return dark;
  }

  apply_theme() {
    this.dark = this.wants_dark();
    this.palette = new Palette(this.functions.short, this.dark);
    this.notify(['palette']);
  }

  /** @param {import('./source.js').Recording} recording */
  set_recording(recording) {
    this.recording = in_order(recording);
    this.changed(['recording']);
  }

  get duration() {
    return Math.max(1, this.recording.duration);
  }

  get unit() {
    return this.recording.unit;
  }

  /** The times in view. */
  get view() {
    const {from, to} = this.state;
    return from === null || to === null ? {from: 0, to: this.duration} : {from, to};
  }

  /** @param {number} from @param {number} to @param {boolean} push */
  show(from, to, push = false) {
    const span = Math.min(this.duration, Math.max(kLeastSpan, to - from));
    const middle = (from + to) / 2;
    from = Math.min(Math.max(0, middle - span / 2), this.duration - span);
    const whole = span >= this.duration;
    this.set(whole ? {from: null, to: null} : {from, to: from + span}, push);
  }

  /** @param {number} factor below 1: nearer @param {number} [at] the time that stays where it is */
  zoom(factor, at) {
    const {from, to} = this.view, fixed = at ?? (from + to) / 2;
    const span = Math.min(this.duration, Math.max(kLeastSpan, (to - from) * factor));
    const begin = fixed - (fixed - from) / (to - from) * span;
    this.show(begin, begin + span);
  }

  /** @param {number} share of what is in view */
  pan(share) {
    const {from, to} = this.view, step = (to - from) * share;
    this.show(from + step, to + step);
  }

  /** @param {number} fn */
  name(fn) {
    return this.functions.short[fn] ?? `function ${fn}`;
  }

  /** @param {number} id */
  thread(id) {
    if (this.threads_of !== this.recording) {
      this.threads_of = this.recording;
      this.threads_by_id = new Map(this.recording.threads.map(thread => [thread.id, thread]));
    }
    return this.threads_by_id.get(id);
  }

  /** @param {number} id */
  thread_name(id) {
    const thread = this.thread(id);
    return thread ? `${thread.name || 'thread'} ${thread.tid}` : `thread ${id}`;
  }

  /** Counts what is under way, and shows a failure. @template T @param {Promise<T>} promise @returns {Promise<T>} */
  async track(promise) {
    this.waiting++;
    this.show_waiting();
    try {
      return await promise;
    } catch (error) {
      this.failed?.(error instanceof SourceError ? error : new SourceError(String(error)));
      throw error;
    } finally {
      this.waiting--;
      this.show_waiting();
    }
  }

  show_waiting() {
    document.documentElement.dataset.waiting = String(this.waiting);
  }

  /** For readers of the screen. @param {string} text */
  announce(text) {
    const place = document.getElementById('announce');
    if (place) place.textContent = text;
  }
}
