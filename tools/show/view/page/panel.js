// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lower part of the page: the tabs about the selection, or about the whole recording if nothing is selected.
// Their contents come in one answer, which is asked for when it is needed.

import {by_id, element} from './dom.js';
import {numbers_in} from './comparison.js';
import {duration, moment, percent, plural} from './format.js';

/** @typedef {import('./app.js').App} App */

const kIndexingPoll = 500;
const kMore = 1.3; // times what had been read
const kTabs = /** @type {const} */ (['functions', 'flame', 'slowest']);

export class Panel {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {import('./source.js').SelectionAnswer|null} */
    this.answer = null;
    /** @type {import('./source.js').Other|null} the second recording */
    this.other = null;
    /** @type {number[]} the numbers that its functions have here */
    this.numbers = [];
    this.place = '';
    this.indexed = -1; // of the recording, when the answer was asked for
    this.under_way = false;
    this.turn = 0;
    for (const tab of kTabs) {
      const button = by_id(`tab-${tab}`);
      button.addEventListener('click', () => app.set({tab}, true));
      button.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
        const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const next = kTabs[(kTabs.indexOf(tab) + step + kTabs.length) % kTabs.length];
        app.set({tab: next}, true);
        by_id(`tab-${next}`).focus();
      });
    }
    by_id('clear-selection').addEventListener('click', () => app.set({selection: null, zoom: []}, true));
    by_id('zoom-selection').addEventListener('click', () => {
      const {selection} = app.state;
      if (selection) app.show(selection.from, selection.to, true);
    });
    by_id('compare').addEventListener('click', () => app.set({compared: !app.state.compared}, true));
    app.on(['compared'], () => this.show_compared());
    app.on(['tab'], () => this.show_tab());
    app.on(['selection', 'recording'], () => this.load());
    this.show_tab();
    this.show_compared();
    this.load();
    if (app.recording.other) this.load_other();
  }

  /** The second recording, if it is there and the user wants it. */
  compared() {
    return this.app.state.compared ? this.other : null;
  }

  show_compared() {
    const button = by_id('compare'), {app} = this;
    button.hidden = !app.recording.other;
    button.textContent = `Against ${app.recording.other ?? ''}`;
    button.setAttribute('aria-pressed', String(app.state.compared));
    app.notify(['answer']);
  }

  /** Its index may still be made. */
  async load_other() {
    const {app} = this, other = await app.track(app.source.other()).catch(() => null);
    if (!other) return;
    this.numbers = numbers_in(app.functions, other.functions);
    this.other = other;
    app.apply_theme(); // there are more names
    app.notify(['answer']);
    if (other.recording.indexed < 1) setTimeout(() => this.load_other(), kIndexingPoll);
  }

  show_tab() {
    for (const tab of kTabs) {
      const button = by_id(`tab-${tab}`), chosen = tab === this.app.state.tab;
      button.setAttribute('aria-selected', String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      by_id(`panel-${tab}`).hidden = !chosen;
    }
    by_id('table-note').hidden = this.app.state.tab !== 'functions';
    by_id('flame-tools').hidden = this.app.state.tab !== 'flame';
    this.app.notify(['shown']);
  }

  /** The range that the tabs are about. */
  range() {
    const {selection} = this.app.state;
    return selection ? {from: selection.from, to: selection.to, threads: selection.threads} : {from: 0, to: this.app.duration + 1, threads: null};
  }

  async load() {
    const {app} = this, {indexed} = app.recording, place = JSON.stringify(app.state.selection);
    if (place === this.place && (this.under_way || !this.is_news(indexed))) return;
    if (place !== this.place) this.describe(null);
    this.place = place;
    this.indexed = indexed;
    this.under_way = true;
    const turn = ++this.turn;
    by_id('panel').setAttribute('aria-busy', 'true');
    const answer = await app.track(app.source.selection(this.range())).catch(() => null);
    if (turn !== this.turn) return; // another range has been asked for since
    this.under_way = false;
    this.answer = answer;
    by_id('panel').setAttribute('aria-busy', 'false');
    this.describe(answer);
    app.notify(['answer']);
    this.load(); // more may have been read by now
  }

  /** Whether so much more of the recording has been read that the tabs are worth another answer, which takes seconds.
   *  @param {number} indexed */
  is_news(indexed) {
    return indexed !== this.indexed && (indexed >= 1 || indexed > this.indexed * kMore);
  }

  /** @param {import('./source.js').SelectionAnswer|null} answer */
  describe(answer) {
    const {app} = this, {selection} = app.state;
    const parts = [];
    if (selection) {
      const span = selection.to - selection.from;
      parts.push(element('strong', {}, duration(span, app.unit)), ` from ${moment(selection.from, span / 1000, app.unit)}`);
      if (selection.threads) parts.push(selection.threads.length === 1 ? `, ${app.thread_name(selection.threads[0])}` : `, ${plural(selection.threads.length, 'thread')}`);
    } else {
      parts.push('Whole recording');
    }
    if (answer && this.indexed < 1) parts.push(element('span', {class: 'partly'}, `, as far as it has been read (${percent(this.indexed)})`));
    if (answer && answer.covered < 0.9995) parts.push(element('span', {class: 'partly'}, ` · ${percent(answer.covered)} of the calls were looked at`));
    by_id('range').replaceChildren(...parts);
    by_id('range').title = by_id('range').textContent ?? '';
    by_id('clear-selection').hidden = by_id('zoom-selection').hidden = !selection;
  }
}
