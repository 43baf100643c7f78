// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Search by name. The hits are marked in the timeline and in the overview, everything else becomes pale, and N goes from
// hit to hit.

import {by_id, element, name_element} from './dom.js';
import {count, duration, plural} from './format.js';

const kLimit = 200;

/** @typedef {import('./app.js').App} App */

export class Search {
  /** @param {App} app @param {import('./timeline.js').Timeline} timeline */
  constructor(app, timeline) {
    this.app = app;
    this.timeline = timeline;
    this.input = by_id('search');
    this.list = by_id('search-results');
    this.status = by_id('search-status');
    this.answer = {functions: /** @type {{function: number, calls: number, total: number}[]} */ ([]), left_out: 0};
    this.input.addEventListener('input', () => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => app.set({search: this.input.value.trim()}), 120);
    });
    this.input.addEventListener('focus', () => this.open());
    this.input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.key(event));
    by_id('search-box').addEventListener('focusout', (/** @type {FocusEvent} */ event) => {
      if (!by_id('search-box').contains(/** @type {Node} */ (event.relatedTarget))) this.list.hidden = true;
    });
    by_id('previous-hit').addEventListener('click', () => this.jump(false));
    by_id('next-hit').addEventListener('click', () => this.jump(true));
    app.on(['search', 'recording'], () => this.load());
    this.load();
  }

  async load() {
    const {app} = this, text = app.state.search;
    if (document.activeElement !== this.input) this.input.value = text;
    let answer = {functions: /** @type {typeof this.answer.functions} */ ([]), left_out: 0};
    if (text) {
      const asked = await app.track(app.source.search(text, kLimit)).catch(() => null);
      if (text !== app.state.search) return;
      if (asked) answer = asked;
    }
    this.answer = answer;
    app.found = new Set(answer.functions.map(found => found.function));
    this.show();
    app.notify(['found']);
  }

  show() {
    const {app, answer} = this, calls = answer.functions.reduce((sum, found) => sum + found.calls, 0);
    const none = app.state.search !== '' && !answer.functions.length;
    this.status.textContent = !app.state.search ? '' : none ? 'no function'
      : `${plural(answer.functions.length + answer.left_out, 'function')}, ${plural(calls, 'call')}`;
    by_id('previous-hit').hidden = by_id('next-hit').hidden = !calls;
    this.list.replaceChildren(...answer.functions.slice(0, 12).map(found => element('li', {},
      element('button', {type: 'button', tabindex: -1, onclick: () => this.choose(found.function)},
        name_element(app.name(found.function)),
        element('span', {class: 'muted'}, `${count(found.calls)} × · ${duration(found.total, app.unit)}`)))));
    this.list.hidden = !answer.functions.length || document.activeElement !== this.input;
  }

  open() {
    if (this.answer.functions.length) this.list.hidden = false;
  }

  /** Searches for exactly this one and goes to its first call. @param {number} fn */
  choose(fn) {
    this.list.hidden = true;
    this.app.set({search: this.app.name(fn), function: fn}, true);
    this.timeline.scroller.focus({preventScroll: true});
    this.jump(true, [fn], {at: 0});
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const items = [...this.list.querySelectorAll('button')];
    if (event.key === 'Enter') {
      clearTimeout(this.typing);
      const text = this.input.value.trim();
      if (text === this.app.state.search) this.jump(!event.shiftKey);
      else this.app.set({search: text}, true);
    } else if (event.key === 'Escape') {
      if (this.input.value) {
        this.input.value = '';
        this.app.set({search: ''}, true);
      }
      this.timeline.scroller.focus({preventScroll: true});
    } else if (event.key === 'ArrowDown' && items.length && !this.list.hidden) {
      items[0].focus();
      this.list.onkeydown = (/** @type {KeyboardEvent} */ inner) => {
        const at = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
        const to = {ArrowDown: at + 1, ArrowUp: at - 1}[inner.key];
        if (to === undefined) return;
        inner.preventDefault();
        inner.stopPropagation();
        (items[to] ?? this.input).focus();
      };
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Goes to the next hit after the chosen call, or the previous one; behind the last one, to the first.
   *  @param {boolean} forward @param {number[]} functions @param {import('./source.js').HitPlace} [after] */
  async jump(forward, functions = [...this.app.found], after) {
    const {app} = this;
    if (!functions.length) return;
    const asked = {functions, forward}, view = {at: forward ? app.view.from : app.view.to};
    let place = await app.track(app.source.hit({...asked, place: after ?? app.state.call ?? view})).catch(() => null);
    if (!place) place = await app.track(app.source.hit({...asked, place: {at: forward ? 0 : app.duration + 1}})).catch(() => null);
    if (!place) return app.announce('no hit');
    app.set({call: place}, true);
    this.center(place.at);
    this.timeline.reveal(place.thread, place.depth);
  }

  /** @param {number} time */
  center(time) {
    const {from, to} = this.app.view, span = to - from;
    if (time < from + span * 0.05 || time > to - span * 0.05) this.app.show(time - span / 2, time + span / 2);
  }
}
