// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All facts about the call that is chosen in the timeline. Each caller is a button that leads to it.

import {by_id, element} from './dom.js';
import {count, duration, moment, percent, plural} from './format.js';
import {css} from './palette.js';

/** @typedef {import('./app.js').App} App */

const kHow = {
  returned: 'returned', tail: 'ended with a tail call', left: 'left by an exception or a longjmp', unknown: 'end not recorded',
  open: 'had not returned when the recording ended', 'thread exit': 'ended with its thread', 'exit()': 'ended with exit()',
};

export class Details {
  /** @param {App} app @param {import('./timeline.js').Timeline} timeline */
  constructor(app, timeline) {
    this.app = app;
    this.timeline = timeline;
    this.place = by_id('details');
    app.on(['call'], () => this.load());
    app.on(['palette', 'recording'], () => this.show());
    this.load();
  }

  async load() {
    const {app} = this, asked = app.state.call;
    app.call = null;
    if (asked) {
      const call = await app.track(app.source.call(asked.thread, asked.depth, asked.at)).catch(() => null);
      if (asked !== app.state.call) return;
      app.call = call;
      if (call) app.announce(`${app.name(call.function)}, ${this.length(call)}, ${app.thread_name(asked.thread)}, depth ${asked.depth}`);
    }
    this.show();
    this.timeline.draw_over();
  }

  /** @param {import('./source.js').Call} call */
  length(call) {
    return call.begin === null || call.end === null ? 'of unknown length' : duration(call.end - call.begin, this.app.unit);
  }

  show() {
    const {app, place} = this, at = app.state.call, call = app.call;
    if (!at) return place.replaceChildren(element('p', {class: 'hint'}, 'Click a call in the timeline, or press ', element('kbd', {}, 'J'), '.'));
    if (!call) return place.replaceChildren(element('p', {class: 'hint'}, 'There is no call at this place.'));
    const name = app.name(call.function), full = app.functions.full[call.function] ?? name;
    const file = call.file ?? app.functions.file[call.function], module = app.functions.module[call.function];
    const chip = element('span', {class: 'chip'});
    chip.style.background = css(app.palette.rgb(call.function));
    const total = call.begin !== null && call.end !== null ? call.end - call.begin : null;
    const rows = [
      ['Duration', total === null ? 'unknown' : duration(total, app.unit)],
      ['Own time', `${duration(call.own, app.unit)}${total ? ` (${percent(call.own / total)})` : ''}`],
      ['Begin', call.begin === null ? 'before the recording' : moment(call.begin, 1, app.unit)],
      ['End', call.end === null ? 'not recorded' : moment(call.end, 1, app.unit)],
      ['How', kHow[/** @type {keyof kHow} */ (call.how)] ?? call.how],
      ['Thread', app.thread_name(at.thread)],
      ['CPU', call.cpu === null || call.cpu === undefined ? null : String(call.cpu)],
      ['Calls', call.calls === null ? null : plural(call.calls, 'direct call')],
      ['Result', call.result || null],
      ['Source', file || null],
      ['Module', module || null],
    ];
    const list = element('dl', {});
    for (const [term, text] of rows)
      if (text !== null) list.append(element('dt', {}, term), element('dd', {}, text));
    place.replaceChildren(...[
      element('h2', {}, chip, name),
      full !== name ? element('p', {class: 'full'}, full) : null,
      element('p', {class: 'actions'},
        element('button', {type: 'button', onclick: () => this.zoom()}, 'Zoom to it'),
        element('button', {type: 'button', onclick: () => this.select()}, 'Select its time'),
        element('button', {type: 'button', onclick: () => app.set({function: call.function, tab: 'slowest'}, true)}, 'Slowest of these'),
        element('button', {type: 'button', onclick: () => app.set({search: name}, true)}, 'Find all')),
      list,
      call.arguments.length ? element('h3', {}, 'Arguments') : null,
      call.arguments.length ? element('ul', {class: 'arguments'}, ...call.arguments.map(text => element('li', {}, text))) : null,
      element('h3', {}, call.callers.length ? `Callers, ${count(call.callers.length)}` : 'No caller is recorded'),
      element('ol', {class: 'callers'}, ...call.callers.map(caller => element('li', {},
        element('button', {type: 'button', class: 'link', disabled: caller.begin === null,
          onclick: () => this.go({thread: at.thread, depth: caller.depth, at: caller.begin ?? 0})}, app.name(caller.function))))),
    ].filter(child => child !== null));
  }

  /** @param {{thread: number, depth: number, at: number}} place */
  go(place) {
    this.app.set({call: place}, true);
    this.timeline.reveal(place.thread, place.depth);
  }

  /** The times of the chosen call. */
  range() {
    const {call, duration: all} = this.app;
    return call ? {from: call.begin ?? 0, to: call.end ?? all} : null;
  }

  zoom() {
    const range = this.range();
    if (!range) return;
    const margin = (range.to - range.from) * 0.05;
    this.app.show(range.from - margin, range.to + margin, true);
  }

  select() {
    const range = this.range(), at = this.app.state.call;
    if (range && at) this.app.set({selection: {from: range.from, to: Math.max(range.to, range.from + 1), threads: [at.thread]}, zoom: []}, true);
  }
}
