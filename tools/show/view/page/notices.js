// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts that the user must know before they trust the picture: the recording is damaged, has lost events, is still being
// read, or is left out in part.

import {by_id, element} from './dom.js';
import {count, duration, moment, percent, plural} from './format.js';

/** @typedef {import('./app.js').App} App */

export class Notices {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.error = '';
    this.gone = false;
    app.failed = error => {
      if (error.gone) this.gone = true;
      else this.error = error.message;
      this.show();
    };
    app.on(['recording'], () => this.show());
    this.show();
  }

  server_gone() {
    this.gone = true;
    this.show();
  }

  show() {
    const {recording, unit} = this.app, made = [];
    const add = (/** @type {string} */ kind, /** @type {(string|HTMLElement)[]} */ ...text) => made.push(element('p', {class: kind}, ...text));
    if (this.gone) add('bad', 'nophook view has ended. What has been loaded can still be seen; run it again to see more.');
    if (this.error) add('bad', this.error, ' ', element('button', {type: 'button', onclick: () => {
      this.error = '';
      this.show();
    }}, 'Close'));
    if (recording.damage) add('bad', `The recording is damaged: ${recording.damage}`);
    if (recording.indexed < 1) {
      const bar = element('progress', {max: 1, value: recording.indexed, 'aria-label': 'Share of the recording that has been read'});
      add('busy', bar, ` ${percent(recording.indexed)} of the recording has been read; the picture is refined as it goes.`);
    }
    for (const note of recording.notes ?? []) add('note', note);
    if (recording.index_error) add('note', recording.index_error);
    if (recording.lost) add('note', `${plural(recording.lost, 'event')} lost where the timeline is hatched: the program was faster than the recorder.`);
    if (recording.overwritten) add('note', `${plural(recording.overwritten, 'event')} overwritten by later ones before they were read.`);
    if (recording.left_out?.calls) {
      const {calls, from, to} = recording.left_out;
      add('note', `This page leaves out ${plural(calls, 'call')}, from ${moment(from, duration_step(to - from), unit)} to ${moment(to, duration_step(to - from), unit)}.`);
    }
    if (recording.left_out?.values)
      add('note', `This page leaves out the arguments and results of ${plural(recording.left_out.values, 'call')}, those of the shortest.`);
    by_id('notices').replaceChildren(...made);
    this.show_bar();
  }

  show_bar() {
    const {recording, unit} = this.app;
    by_id('name').textContent = recording.name;
    document.title = `${recording.name} – nophook view`;
    const command = by_id('command');
    command.textContent = recording.command;
    command.title = recording.command;
    const threads = recording.threads.length, processes = recording.processes.length;
    by_id('summary').textContent = [
      duration(recording.duration, unit), plural(recording.calls, 'call'),
      processes > 1 ? `${count(threads)} threads in ${count(processes)} processes` : plural(threads, 'thread'),
    ].join(' · ');
    const empty = !threads || !recording.events;
    by_id('empty').hidden = !empty || recording.indexed < 1;
    by_id('work').hidden = empty && recording.indexed >= 1;
  }
}

/** @param {number} span */
const duration_step = span => Math.max(1, span / 1000);
