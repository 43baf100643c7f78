// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything can be done by keyboard. One table has all keys; the help that `?` shows is made from it.

import {by_id, element} from './dom.js';
import {next_call} from './navigate.js';
import {plural} from './format.js';
import {some_expanded} from './timeline.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {{keys: string[], shown: string, what: string, run: (event: KeyboardEvent) => void, group: string}} Key */

export class Keys {
  /**
   * @param {App} app
   * @param {{timeline: import('./timeline.js').Timeline, details: import('./details.js').Details, search: import('./search.js').Search}} views
   */
  constructor(app, {timeline, details, search}) {
    this.app = app;
    this.timeline = timeline;
    this.details = details;
    this.dialog = by_id('keys');
    const row = 60;
    /** @type {Key[]} */
    this.table = [
      {group: 'Move', keys: ['w', '+', '='], shown: 'W  +', what: 'Zoom in (at the pointer, if it is over the timeline)', run: () => app.zoom(0.7, this.fixed())},
      {group: 'Move', keys: ['s', '-'], shown: 'S  −', what: 'Zoom out', run: () => app.zoom(1 / 0.7, this.fixed())},
      {group: 'Move', keys: ['a', 'ArrowLeft'], shown: 'A  ←', what: 'Earlier', run: () => app.pan(-0.15)},
      {group: 'Move', keys: ['d', 'ArrowRight'], shown: 'D  →', what: 'Later', run: () => app.pan(0.15)},
      {group: 'Move', keys: ['ArrowUp'], shown: '↑', what: 'Rows above', run: () => timeline.scroller.scrollBy(0, -row)},
      {group: 'Move', keys: ['ArrowDown'], shown: '↓', what: 'Rows below', run: () => timeline.scroller.scrollBy(0, row)},
      {group: 'Move', keys: ['PageUp'], shown: 'Page up', what: 'A screen of rows above', run: () => timeline.scroller.scrollBy(0, -timeline.height * 0.9)},
      {group: 'Move', keys: ['PageDown'], shown: 'Page down', what: 'A screen of rows below', run: () => timeline.scroller.scrollBy(0, timeline.height * 0.9)},
      {group: 'Move', keys: ['0', 'Home'], shown: '0  Home', what: 'The whole recording', run: () => app.set({from: null, to: null}, true)},
      {group: 'Calls', keys: ['j'], shown: 'J', what: 'Into the call: its first callee', run: () => this.into()},
      {group: 'Calls', keys: ['k'], shown: 'K', what: 'Out of the call: its caller', run: () => this.out()},
      {group: 'Calls', keys: ['l'], shown: 'L', what: 'The next call at this depth', run: () => this.beside(true)},
      {group: 'Calls', keys: ['h'], shown: 'H', what: 'The call before at this depth', run: () => this.beside(false)},
      {group: 'Calls', keys: ['z', 'Enter'], shown: 'Z  Enter', what: 'Zoom to the call', run: () => details.zoom()},
      {group: 'Calls', keys: ['m'], shown: 'M', what: 'The next mark', run: () => this.mark(true)},
      {group: 'Calls', keys: ['M'], shown: 'Shift M', what: 'The mark before', run: () => this.mark(false)},
      {group: 'Select', keys: ['e'], shown: 'E', what: 'Select the time of the call, in its thread', run: () => details.select()},
      {group: 'Select', keys: ['v'], shown: 'V', what: 'Select what is in view', run: () => app.set({selection: {...app.view, threads: null}, zoom: []}, true)},
      {group: 'Select', keys: ['Escape'], shown: 'Esc', what: 'Select nothing', run: () => this.escape()},
      {group: 'Search', keys: ['/'], shown: '/', what: 'Search functions by a part of the name, or a glob', run: () => this.focus_search()},
      {group: 'Search', keys: ['n'], shown: 'N', what: 'The next hit', run: () => search.jump(true)},
      {group: 'Search', keys: ['N', 'p'], shown: 'Shift N', what: 'The hit before', run: () => search.jump(false)},
      {group: 'Show', keys: ['1'], shown: '1', what: 'Functions', run: () => app.set({tab: 'functions'}, true)},
      {group: 'Show', keys: ['2'], shown: '2', what: 'Flame graph', run: () => app.set({tab: 'flame'}, true)},
      {group: 'Show', keys: ['3'], shown: '3', what: 'Slowest calls', run: () => app.set({tab: 'slowest'}, true)},
      {group: 'Show', keys: ['u'], shown: 'U', what: 'Turn the flame graph upside down', run: () => app.set({inverted: !app.state.inverted, zoom: [], tab: 'flame'}, true)},
      {group: 'Show', keys: ['c'], shown: 'C', what: 'Compare with the second recording, if there is one', run: () => app.recording.other && app.set({compared: !app.state.compared}, true)},
      {group: 'Show', keys: ['x'], shown: 'X', what: 'Expand or collapse the thread of the call', run: () => app.state.call && timeline.toggle(app.state.call.thread)},
      {group: 'Show', keys: ['X'], shown: 'Shift X', what: 'Expand or collapse all threads', run: () => this.toggle_all()},
      {group: 'Show', keys: ['t'], shown: 'T', what: 'Dark or light', run: () => app.set({theme: app.dark ? 'light' : 'dark'})},
      {group: 'Show', keys: ['?'], shown: '?', what: 'These keys', run: () => this.help()},
    ];
    addEventListener('keydown', event => this.key(event));
    by_id('help').addEventListener('click', () => this.help());
    by_id('theme').addEventListener('click', () => app.set({theme: app.dark ? 'light' : 'dark'}));
    by_id('expand').addEventListener('click', () => this.toggle_all());
    by_id('close-keys').addEventListener('click', () => this.dialog.close());
    this.fill_help();
  }

  /** The time that keeps its place when the keyboard zooms. */
  fixed() {
    const {app} = this;
    if (typeof app.pointer_time === 'number') return app.pointer_time;
    const at = app.call?.begin ?? NaN;
    return at >= app.view.from && at <= app.view.to ? at : undefined;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.dialog.open) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest('input, select, textarea')) return;
    // Enter presses a button that has the focus.
    if (event.key === 'Enter' && target.closest('button')) return;
    const key = this.table.find(({keys}) => keys.includes(event.key)) ??
      this.table.find(({keys}) => !event.shiftKey && keys.includes(event.key.toLowerCase()));
    if (!key) return;
    event.preventDefault();
    key.run(event);
  }

  help() {
    this.dialog.showModal();
  }

  fill_help() {
    const groups = [...new Set(this.table.map(key => key.group))];
    by_id('keys-list').replaceChildren(...groups.map(group => element('section', {}, element('h3', {}, group),
      element('dl', {}, ...this.table.filter(key => key.group === group).flatMap(key => [
        element('dt', {}, ...key.shown.split('  ').flatMap((part, i) => i ? [' ', element('kbd', {}, part)] : [element('kbd', {}, part)])),
        element('dd', {}, key.what)])))));
  }

  focus_search() {
    const input = by_id('search');
    input.focus();
    input.select();
  }

  escape() {
    const {app} = this;
    if (app.state.selection) app.set({selection: null, zoom: []}, true);
    else if (app.state.search) app.set({search: ''}, true);
    else app.set({call: null}, true);
  }

  toggle_all() {
    const {app} = this;
    app.set({expanded: some_expanded(app.layout) ? 'none' : 'all', toggled: [], scroll: 0}, true);
  }

  /** Chooses the first call in view, of the first thread in view. */
  async first() {
    const {app} = this, {from, to} = app.view, block = this.timeline.visible_blocks().find(block => block.thread >= 0);
    if (!block) return;
    const {thread} = block, at_begin = await app.track(app.source.call(thread, 0, from)).catch(() => null);
    const place = at_begin ? {thread, depth: 0, at: at_begin.begin ?? from} : await app.track(next_call(app.source,
      {thread, depth: 0, time: from - 1e-3, forward: true, span: to - from, to: app.duration + 1})).catch(() => null);
    if (place) this.details.go(place);
    else app.announce('no call');
  }

  async into() {
    const {app} = this, at = app.state.call, range = this.details.range();
    if (!at || !range) return this.first();
    const place = await app.track(next_call(app.source, {thread: at.thread, depth: at.depth + 1, time: range.from - 1e-3, forward: true,
      span: range.to - range.from, to: Math.max(range.to, range.from + 1)})).catch(() => null);
    if (place) this.go(place);
    else app.announce('it calls nothing that was recorded');
  }

  out() {
    const at = this.app.state.call, caller = this.app.call?.callers.at(-1);
    if (!at) return this.first();
    if (caller && caller.begin !== null) this.go({thread: at.thread, depth: caller.depth, at: caller.begin});
    else this.app.announce('no caller is recorded');
  }

  /** @param {boolean} forward */
  async beside(forward) {
    const {app} = this, at = app.state.call, range = this.details.range();
    if (!at || !range) return this.first();
    const place = await app.track(next_call(app.source, {thread: at.thread, depth: at.depth, time: at.at, forward,
      span: Math.max(range.to - range.from, (app.view.to - app.view.from) / 20), to: app.duration + 1})).catch(() => null);
    if (place) this.go(place);
    else app.announce('no further call at this depth');
  }

  /** Chooses a call and moves the view there if it is not in view. @param {{thread: number, depth: number, at: number}} place */
  go(place) {
    const {app} = this, {from, to} = app.view;
    this.details.go(place);
    if (place.at < from || place.at > to) app.show(place.at - (to - from) / 2, place.at + (to - from) / 2);
  }

  /** @param {boolean} forward */
  async mark(forward) {
    const {app} = this, {from, to} = app.view, middle = (from + to) / 2;
    const asked = forward ? {from: middle, to: app.duration} : {from: 0, to: middle};
    const events = await app.track(app.source.events(asked)).catch(() => null);
    const slack = (to - from) * 1e-6;
    const marks = (events?.marks ?? []).filter(mark => forward ? mark.time > middle + slack : mark.time < middle - slack)
      .sort((a, b) => forward ? a.time - b.time : b.time - a.time);
    if (!marks.length) return app.announce(forward ? 'no later mark' : 'no earlier mark');
    const mark = marks[0], span = Math.min(to - from, app.duration / 10);
    app.show(mark.time - span / 2, mark.time + span / 2, true);
    this.timeline.reveal(mark.thread, 0);
    app.announce(`${mark.text}, ${app.thread_name(mark.thread)}, ${plural(marks.length - 1, 'mark')} beyond`);
  }
}
