// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts the page together: the source, the recording, and the views on it.

import {App} from './app.js';
import {Details} from './details.js';
import {by_id} from './dom.js';
import {EmbeddedSource} from './embedded_source.js';
import {FlameGraph} from './flame.js';
import {Keys} from './keys.js';
import {Notices} from './notices.js';
import {Overview} from './overview.js';
import {Panel} from './panel.js';
import {RemoteSource} from './remote_source.js';
import {Search} from './search.js';
import {Slowest} from './slowest.js';
import {make_splitter} from './splitter.js';
import {FunctionTable} from './table.js';
import {Timeline} from './timeline.js';

const kIndexingPoll = 500;

function make_source() {
  const embedded = document.getElementById('nophook-recording');
  return embedded ? new EmbeddedSource(JSON.parse(embedded.textContent ?? '')) : new RemoteSource(document.baseURI);
}

async function start() {
  const source = make_source();
  const [recording, functions] = await Promise.all([source.recording(), source.functions()]);
  const app = new App(source, recording, functions);
  const notices = new Notices(app);
  const timeline = new Timeline(app);
  const overview = new Overview(app, timeline);
  const details = new Details(app, timeline);
  const panel = new Panel(app);
  const table = new FunctionTable(app, panel);
  const flame = new FlameGraph(app, panel);
  const slowest = new Slowest(app, panel, timeline);
  const search = new Search(app, timeline);
  new Keys(app, {timeline, details, search});
  make_splitter();
  source.alive(() => notices.server_gone());
  if (recording.indexed < 1) follow_index(app, panel);
  // For a script or a test that looks at the page from outside; the page itself does not use it.
  Object.assign(globalThis, {nophook: {app, timeline, overview, panel, table, flame, slowest}});
  document.documentElement.dataset.ready = 'true';
}

/** While the index is made, the recording has more to show each time. @param {App} app @param {Panel} panel */
function follow_index(app, panel) {
  const again = async () => {
    try {
      const recording = await app.source.recording(), is_whole = recording.indexed >= 1;
      const has_names = is_whole || (recording.functions ?? 0) > app.functions.short.length;
      if (has_names) app.functions = await app.source.functions();
      if (is_whole && recording.other) panel.load_other(); // the numbers of its functions depend on these
      app.set_recording(recording);
      if (has_names) app.apply_theme();
      if (!is_whole) setTimeout(again, kIndexingPoll);
    } catch (error) {
      app.failed?.(/** @type {any} */ (error));
    }
  };
  setTimeout(again, kIndexingPoll);
}

start().catch(error => {
  by_id('work').hidden = true;
  const place = by_id('empty');
  place.hidden = false;
  place.replaceChildren(Object.assign(document.createElement('h2'), {textContent: 'The recording cannot be shown'}),
    Object.assign(document.createElement('p'), {textContent: error.message}));
  document.documentElement.dataset.ready = 'failed';
});
