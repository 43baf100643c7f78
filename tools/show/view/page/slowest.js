// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slowest calls of the selection, of all functions or of one. Each is a button that goes to the call.

import {by_id, element, name_element} from './dom.js';
import {duration, moment} from './format.js';
import {css} from './palette.js';

/** @typedef {import('./app.js').App} App */

export class Slowest {
  /** @param {App} app @param {import('./panel.js').Panel} panel @param {import('./timeline.js').Timeline} timeline */
  constructor(app, panel, timeline) {
    this.app = app;
    this.panel = panel;
    this.timeline = timeline;
    this.place = by_id('panel-slowest');
    /** @type {import('./source.js').SlowCall[]} */
    this.calls = [];
    app.on(['answer', 'function', 'shown'], () => this.load());
    app.on(['palette', 'call'], () => this.show());
  }

  async load() {
    const {app} = this, fn = app.state.function;
    if (app.state.tab !== 'slowest') return;
    if (fn === null) {
      this.calls = this.panel.answer?.slowest ?? [];
    } else {
      const asked = JSON.stringify([this.panel.range(), fn, app.recording.indexed]);
      if (asked === this.asked) return this.show();
      this.asked = asked;
      this.calls = [];
      const answer = await app.track(app.source.selection({...this.panel.range(), function: fn})).catch(() => null);
      if (asked !== this.asked) return;
      this.calls = answer?.slowest ?? [];
    }
    this.show();
  }

  show() {
    const {app, calls} = this, fn = app.state.function, most = Math.max(1, ...calls.map(call => call.duration));
    this.place.replaceChildren(...[
      fn === null ? null : element('p', {class: 'filter'}, 'Of ', element('strong', {}, app.name(fn)),
        element('button', {type: 'button', onclick: () => app.set({function: null}, true)}, 'All functions')),
      calls.length ? element('ol', {class: 'slowest'}, ...calls.map(call => this.item(call, most)))
        : element('p', {class: 'hint'}, this.panel.answer ? 'No call is in this range.' : ''),
    ].filter(child => child !== null));
  }

  /** @param {import('./source.js').SlowCall} call @param {number} most */
  item(call, most) {
    const {app} = this, bar = element('span', {class: 'bar'}), chip = element('span', {class: 'chip'}), at = app.state.call;
    bar.style.width = `${100 * call.duration / most}%`;
    bar.style.background = chip.style.background = css(app.palette.rgb(call.function));
    const here = at !== null && at.thread === call.thread && at.depth === call.depth && at.at === call.begin;
    return element('li', {}, element('button', {type: 'button', class: 'jump', 'aria-current': String(here), onclick: () => this.jump(call)},
      element('span', {class: 'time'}, duration(call.duration, app.unit)), element('span', {class: 'bars'}, bar),
      name_element(app.name(call.function), chip),
      element('span', {class: 'muted'}, `${app.thread_name(call.thread)}, at ${moment(call.begin, call.duration / 100, app.unit)}`)));
  }

  /** @param {import('./source.js').SlowCall} call */
  jump(call) {
    const margin = call.duration * 0.6;
    this.app.set({call: {thread: call.thread, depth: call.depth, at: call.begin}}, true);
    this.app.show(call.begin - margin, call.begin + call.duration + margin);
    this.timeline.reveal(call.thread, call.depth);
  }
}
