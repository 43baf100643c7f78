// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user does with the page. Most scenarios take names and times from the page itself, so they also fit a real
// recording; those with `made_up` know the content.

import assert from 'node:assert/strict';
import * as recordings from './recordings.mjs';

const near = (a, b, slack) => assert.ok(Math.abs(a - b) <= slack, `${a} is not near ${b}`);

/** The middle of an element. */
const middle = async locator => {
  const box = await locator.boundingBox();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2};
};

const drag = async (page, from, to) => {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
};

/** The function of the page's table that fits, as {id, name}. */
const row_texts = page => page.locator('#table-body tr[data-function]').evaluateAll(rows => rows.map(row => row.querySelector('.name').textContent));

const dataset = (page, id) => page.locator(`#${id}`).evaluate(element => ({...element.dataset}));

export const scenarios = {
  zoom: {
    async run(session) {
      const page = await session.open();
      const whole = await session.view(page), {rectangles} = await dataset(page, 'rows');
      assert.ok(Number(rectangles) > 0 && Number(rectangles) <= 10000, `${rectangles} rectangles`);
      assert.equal(new URL(page.url()).hash, '');

      // Ctrl and the wheel zoom, and the time under the pointer stays there.
      const at = await middle(page.locator('#over')), time = () => page.evaluate(x => {
        const {timeline} = globalThis.nophook;
        return timeline.time_at(x - timeline.canvas.getBoundingClientRect().left);
      }, at.x - 200);
      await page.mouse.move(at.x - 200, at.y);
      const before = await time();
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, -200);
      await page.keyboard.up('Control');
      await session.until(page, span => globalThis.nophook.app.view.to - globalThis.nophook.app.view.from < span * 0.8, whole.to - whole.from);
      near(await time(), before, (whole.to - whole.from) / 500);
      await session.until(page, () => location.hash.includes('t='));

      // A drag moves; the wheel with Shift, too.
      const zoomed = await session.view(page), span = zoomed.to - zoomed.from, width = await page.evaluate(() => globalThis.nophook.timeline.width);
      await drag(page, at, {x: at.x + 100, y: at.y});
      const moved = await session.view(page);
      near(moved.from, Math.max(0, zoomed.from - 100 / width * span), span / 100);
      near(moved.to - moved.from, span, 1);
      await page.keyboard.down('Shift');
      await page.mouse.wheel(0, 60);
      await page.keyboard.up('Shift');
      await session.until(page, from => globalThis.nophook.app.view.from > from, moved.from);

      // Deep down there are labels, and calls of their own.
      for (let i = 0; i < 20; i++) await page.keyboard.press('w');
      await session.idle(page);
      const deep = await session.view(page);
      assert.ok(deep.to - deep.from < span / 50);
      for (let i = 0; i < 60; i++) await page.keyboard.press('s');
      assert.deepEqual(await session.view(page), whole, 'zoomed out again');

      // The overview chooses the view, and a double click zooms to a call.
      const overview = await page.locator('#overview').boundingBox();
      await drag(page, {x: overview.x + overview.width * 0.25, y: overview.y + 20}, {x: overview.x + overview.width * 0.5, y: overview.y + 20});
      const chosen = await session.view(page);
      near(chosen.from, whole.to * 0.25, whole.to / 100);
      near(chosen.to, whole.to * 0.5, whole.to / 100);
      await page.keyboard.press('0');
      assert.deepEqual(await session.view(page), whole);
      assert.notEqual(await session.pixels(page, 'rows', 'canvas'), 0);
    },
  },

  search: {
    async run(session) {
      const page = await session.open();
      const first = await page.evaluate(() => {
        const {app, panel} = globalThis.nophook;
        return app.name(panel.answer.table.find(row => row.calls > 3).function);
      });
      await page.keyboard.press('/');
      await page.keyboard.type(first.toUpperCase());
      await page.locator('#search-results button').first().waitFor();
      await session.until(page, () => globalThis.nophook.app.found.size > 0);
      // What was found for the first letters goes when the last one is typed.
      await session.until(page, text => [...document.querySelectorAll('#search-results .name')]
        .every(name => name.textContent.toLowerCase().includes(text)), first.toLowerCase());
      await session.idle(page);
      const names = await page.locator('#search-results .name').allTextContents();
      assert.ok(names.every(name => name.toLowerCase().includes(first.toLowerCase())), names.join());
      assert.match(await page.locator('#search-status').textContent(), /^\d[\d,]* functions?, \d[\d,]* calls?$/);
      assert.ok(Number((await dataset(page, 'overview')).hits) > 0, 'the overview marks hits');
      assert.ok(await session.pixels(page, 'overview', 'hit') > 0);

      // Enter twice: the search, and its first hit. Then N goes on, and back.
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await session.until(page, () => globalThis.nophook.app.call);
      await page.keyboard.press('Escape');
      await session.until(page, () => globalThis.nophook.app.state.search === '');
      await page.keyboard.press('/');
      await page.keyboard.type(first);
      await page.keyboard.press('Enter');
      await session.until(page, () => globalThis.nophook.app.found.size > 0);
      await page.locator('#scroll').focus();
      const times = [];
      for (const key of ['n', 'n', 'N']) {
        const before = (await session.state(page)).call;
        await page.keyboard.press(key);
        await session.until(page, before => JSON.stringify(globalThis.nophook.app.state.call) !== before && globalThis.nophook.app.call, JSON.stringify(before));
        await session.idle(page);
        assert.ok((await page.locator('#details h2').textContent()).toLowerCase().includes(first.toLowerCase()));
        const {call} = await session.state(page), view = await session.view(page);
        assert.ok(call.at >= view.from && call.at <= view.to, 'the hit is in view');
        assert.ok(await session.pixels(page, 'rows', 'hit') > 0, 'the timeline marks hits');
        times.push(call.at);
      }
      assert.equal(times[2], times[0], 'forth and back');

      // A name that nothing has, and a glob.
      await page.keyboard.press('/');
      await page.keyboard.type('no such function');
      await session.until(page, () => document.getElementById('search-status').textContent === 'no function');
      await page.keyboard.press('Control+a');
      await page.keyboard.type('*');
      await session.until(page, () => globalThis.nophook.app.found.size > 1);
    },
  },

  select: {
    async run(session) {
      const page = await session.open();
      const whole = await row_texts(page);
      assert.ok(whole.length > 1);
      const ruler = await page.locator('#ruler').boundingBox(), y = ruler.y + ruler.height / 2;
      // Nearly all: in a recording of a real program, half of the time may have no call that ends.
      await drag(page, {x: ruler.x + ruler.width * 0.02, y}, {x: ruler.x + ruler.width * 0.98, y});
      const {selection} = await session.state(page), all = await session.view(page);
      near(selection.from, all.to * 0.02, all.to / 100);
      near(selection.to, all.to * 0.98, all.to / 100);
      await session.idle(page);
      assert.match(await page.locator('#range').textContent(), /^[\d.]+ \S+ from [\d.]+/);

      // The table: sorted by own time at first, by any column after a click.
      const column = name => page.locator(`#table-body td.${name}`).allTextContents();
      const calls = async () => (await column('calls')).map(text => Number(text.replace(/,/g, '')));
      await page.locator('th[data-column="calls"] button').click();
      await session.idle(page);
      const falling = await calls();
      assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
      await page.locator('th[data-column="calls"] button').click();
      await session.idle(page);
      assert.equal(await page.locator('th[data-column="calls"]').getAttribute('aria-sort'), 'ascending');
      const rising = await calls();
      assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
      assert.ok(await page.locator('#table-body svg rect').count() > 0, 'histograms');
      // What the table shows is what a look at each call gives.
      const {shown, counted} = await page.evaluate(async () => {
        const {app, panel} = globalThis.nophook, {table} = panel.answer, {from, to} = app.state.selection;
        const answer = await app.source.selection({from, to, threads: null});
        return {shown: table.reduce((sum, row) => sum + row.calls, 0), counted: answer.table.reduce((sum, row) => sum + row.calls, 0)};
      });
      assert.equal(shown, counted);

      // The flame graph: a click zooms, both ways up.
      await page.locator('#tab-flame').click();
      await session.idle(page);
      const frames = Number((await dataset(page, 'flame')).frames);
      assert.ok(frames > 2);
      await page.locator('#flame').click({position: {x: 30, y: 18 + 9}});
      await session.until(page, () => globalThis.nophook.app.state.zoom.length === 1);
      const down = await session.picture(page, 'flame');
      await page.locator('#flame-callees').click();
      await session.idle(page);
      assert.equal(await page.locator('#flame-callees').getAttribute('aria-pressed'), 'true');
      assert.notEqual(await session.picture(page, 'flame'), down);
      await page.locator('#flame-callers').click();

      // The slowest: each is a jump.
      await page.locator('#tab-slowest').click();
      await session.idle(page);
      const jumps = page.locator('.jump');
      const count = await jumps.count();
      assert.ok(count > 1 && count <= 20);
      const name = await jumps.nth(1).locator('.name').textContent(), time = await jumps.nth(1).locator('.time').textContent();
      await jumps.nth(1).click();
      await session.until(page, () => globalThis.nophook.app.call);
      await session.idle(page);
      assert.equal(await page.locator('#details h2').textContent(), name);
      assert.equal(await page.locator('#details dd').first().textContent(), time);
      assert.ok(await session.pixels(page, 'over', 'text') > 0, 'the call is framed');

      // Those of one function.
      await page.locator('#tab-functions').click();
      await session.idle(page);
      await page.locator('#table-body tr[data-function]').first().click();
      await page.locator('#tab-slowest').click();
      await page.locator('.filter strong').waitFor();
      await session.idle(page);
      const filtered = await page.locator('.filter strong').textContent();
      for (const text of await page.locator('.jump .name').allTextContents()) assert.equal(text, filtered);

      // A drag with Shift selects threads, too.
      await page.locator('#clear-selection').click();
      assert.equal((await session.state(page)).selection, null);
      const box = await page.locator('#over').boundingBox();
      await page.keyboard.down('Shift');
      await drag(page, {x: box.x + 100, y: box.y + 8}, {x: box.x + 500, y: box.y + 12});
      await page.keyboard.up('Shift');
      assert.equal((await session.state(page)).selection.threads.length, 1);
    },
  },

  details: {
    async run(session) {
      const page = await session.open();
      // The call that took longest, of those that have a caller.
      const slow = await page.evaluate(async () => {
        const {panel, app} = globalThis.nophook;
        const call = panel.answer.slowest.find(call => call.depth > 0) ?? panel.answer.slowest[0];
        return {...call, name: app.name(call.function)};
      });
      await page.evaluate(({thread, depth}) => globalThis.nophook.timeline.reveal(thread, depth), slow);
      await session.idle(page);
      const at = await session.place_of(page, slow.thread, slow.depth, slow.begin + slow.duration / 2);
      await page.mouse.move(at.x, at.y);
      await page.locator('#tip .tip-name').waitFor();
      assert.equal(await page.locator('#tip .tip-name').textContent(), slow.name);
      await page.mouse.click(at.x, at.y);
      await session.until(page, () => globalThis.nophook.app.call);
      assert.equal(await page.locator('#details h2').textContent(), slow.name);
      const callers = page.locator('.callers button');
      assert.equal(await callers.count(), slow.depth);
      if (slow.depth) {
        const name = await callers.last().textContent();
        await callers.last().click();
        await session.until(page, name => document.querySelector('#details h2')?.textContent === name, name);
        assert.equal((await session.state(page)).call.depth, slow.depth - 1);
        await page.goBack();
        await session.until(page, name => document.querySelector('#details h2')?.textContent === name, slow.name);
      }
      await page.getByRole('button', {name: 'Zoom to it', exact: true}).first().click();
      const view = await session.view(page);
      // The view ends where the recording does.
      assert.ok(view.from <= slow.begin && view.to >= slow.begin + slow.duration, `${view.from} to ${view.to}`);
      assert.ok(view.to - view.from <= slow.duration * 1.15, `${view.to - view.from} of ${slow.duration}`);
      await page.getByRole('button', {name: 'Select its time'}).click();
      assert.deepEqual((await session.state(page)).selection.threads, [slow.thread]);
      await page.getByRole('button', {name: 'Find all'}).click();
      await session.until(page, () => globalThis.nophook.app.found.size > 0);
      assert.equal(await page.locator('#search').inputValue(), slow.name);
    },
  },

  made_up_details: {
    made_up: true,
    async run(session) {
      // Arguments and results, marks, losses and the ways in which a call ends are shown.
      const page = await session.open();
      const text = async (thread, depth, name) => {
        const at = await page.evaluate(([thread, name]) => {
          const {source} = globalThis.nophook.app, fn = source.page.functions.short.indexOf(name);
          return source.start[source.of_thread.get(thread).find(i => source.function[i] === fn)];
        }, [thread, name]);
        await page.evaluate(call => globalThis.nophook.app.set({call}), {thread, depth, at});
        await session.until(page, name => document.querySelector('#details h2')?.textContent === name, name);
        return page.locator('#details').innerText();
      };
      const parse = await text(1, 1, 'Request::parse');
      assert.match(parse, /Arguments\s+this=0x7f00[0-9a-f]+\s+id=0\s+text="GET \/item"/);
      assert.match(parse, /Result\s+true/);
      assert.match(parse, /Source\s+request.cpp:33/);
      assert.match(parse, /Callers, 1\s+worker/);
      assert.match(await text(2, 1, 'Store::get'), /left by an exception or a longjmp/);
      assert.match(await text(3, 0, 'worker'), /before the recording/);
      assert.match(await text(1, 0, 'worker'), /had not returned/);
      assert.match(await page.locator('#notices').textContent(), /1,234 events lost/);
      assert.ok(await session.pixels(page, 'rows', 'mark') > 10, 'marks are drawn');
      const loss = await page.evaluate(() => globalThis.nophook.app.source.page.events.losses[0]);
      const at = await session.place_of(page, loss.thread, 1, (loss.from + loss.to) / 2);
      await page.mouse.move(at.x, at.y);
      await page.locator('#tip .tip-lost').waitFor();
      assert.match(await page.locator('#tip').textContent(), /1,234 events lost here/);
      await page.keyboard.press('m');
      await session.until(page, () => document.getElementById('announce').textContent.includes('/item/99') ||
        document.getElementById('announce').textContent.includes('no later mark'));
      await page.keyboard.press('M');
      await session.until(page, () => document.getElementById('announce').textContent.includes('all workers are up') ||
        document.getElementById('announce').textContent.includes('/item/99'));
    },
  },

  state: {
    async run(session) {
      const page = await session.open();
      const [first, second] = await row_texts(page);
      await page.keyboard.press('w');
      await page.keyboard.press('w');
      await page.keyboard.press('d');
      await page.keyboard.press('v');
      await page.keyboard.press('2');
      await page.keyboard.press('u');
      await page.keyboard.press('t');
      await page.keyboard.press('j');
      await session.until(page, () => globalThis.nophook.app.call);
      await page.keyboard.press('x');
      await page.keyboard.press('/');
      await page.keyboard.type(second);
      await page.keyboard.press('Enter');
      await session.until(page, () => globalThis.nophook.app.found.size > 0);
      await page.locator('#search').blur();
      await page.mouse.move(1, 1);
      await session.until(page, () => location.hash.includes('t=') && location.hash.includes('q=') && location.hash.includes('theme=') && location.hash.includes('xt='));
      await session.idle(page);

      // A second page with the same URL has the same state and the same picture.
      const hash = new URL(page.url()).hash, other = await session.open(hash);
      await other.mouse.move(1, 1);
      await session.idle(other);
      assert.deepEqual(await session.state(other), await session.state(page));
      // (A server's answer about a part depends on which part was asked for; a page's own calls are always the same.)
      for (const id of session.served ? ['flame'] : ['rows', 'overview', 'flame']) assert.ok(await session.picture(other, id) === await session.picture(page, id), `${id} differs`);

      // Back undoes one step after the other; forward does it again.
      const before = await session.state(page);
      await page.locator('#tab-functions').click();
      await page.keyboard.press('3');
      await page.goBack();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'functions');
      await page.goBack();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'flame');
      assert.deepEqual(await session.state(page), before);
      await page.goForward();
      await session.until(page, () => globalThis.nophook.app.state.tab === 'functions');

      // A link may hold anything.
      session.expected = /status of 404/; // the call that the link names is not there
      const odd = await session.open('#t=5,5&c=99999,3,1&s=x&tab=?&q=%&z=9.9.9&f=88888888&xt=4444');
      assert.match(await odd.locator('#details').textContent(), /no call at this place/);
      assert.ok(first);
    },
  },

  keyboard: {
    async run(session) {
      const page = await session.open();
      session.expected = /status of 404/; // where no call is, which the page asks
      const state = () => session.state(page), press = async (...keys) => {
        for (const key of keys) await page.keyboard.press(key);
        await session.idle(page);
      };
      // The keys that `?` shows are the page's; the dialog closes by Escape.
      await press('?');
      assert.ok(await page.locator('#keys').isVisible());
      assert.ok(await page.locator('#keys dt').count() > 20);
      await session.screenshot(page, 'keys');
      await press('Escape');
      assert.ok(!await page.locator('#keys').isVisible());

      // From call to call: into it, to the next one, out of it.
      await press('j');
      assert.equal((await state()).call.depth, 0);
      await page.evaluate(async () => { // a call that has callees
        const {app, panel, timeline} = globalThis.nophook, deep = panel.answer.slowest.find(call => call.depth > 0);
        const {callers} = await app.source.call(deep.thread, deep.depth, deep.begin);
        app.set({call: {thread: deep.thread, depth: 0, at: callers[0].begin}});
        timeline.reveal(deep.thread, 0);
      });
      await session.until(page, () => globalThis.nophook.app.call);
      const outer = (await state()).call;
      await press('j');
      const inner = (await state()).call;
      assert.equal(inner.depth, 1);
      assert.ok(inner.at >= outer.at);
      await press('l');
      const next = (await state()).call;
      if (next.at !== inner.at) {
        assert.equal(next.depth, 1);
        assert.ok(next.at > inner.at);
        await press('h');
        assert.deepEqual((await state()).call, inner);
      }
      await press('k');
      assert.deepEqual((await state()).call, outer);
      assert.match(await page.locator('#announce').textContent(), /depth 0$/);
      await press('j', 'Enter');
      const {from, to} = await session.view(page);
      assert.ok(inner.at >= from && inner.at < to);
      await press('e');
      assert.deepEqual((await state()).selection.threads, [inner.thread]);

      // The tabs and what is in them.
      await press('2');
      assert.equal((await state()).tab, 'flame');
      await page.locator('#flame').focus();
      await press('ArrowDown', 'Enter');
      assert.equal((await state()).zoom.length, 1);
      assert.match(await page.locator('#announce').textContent(), /%/);
      await press('Backspace');
      assert.equal((await state()).zoom.length, 0);
      await press('3');
      await page.locator('.jump').first().focus();
      await press('Enter');
      await session.until(page, () => globalThis.nophook.app.call);
      await press('1');
      await page.locator('#tab-functions').focus();
      await press('ArrowRight');
      assert.equal((await state()).tab, 'flame');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-flame');
      await press('ArrowLeft');
      await page.locator('#table-body tr[tabindex="0"]').focus();
      await press('ArrowDown', 'ArrowDown', 'Enter');
      assert.equal((await state()).tab, 'slowest');
      assert.notEqual((await state()).function, null);

      // Escape: first the selection, then the search, then the call.
      await page.locator('#scroll').focus();
      await press('Escape');
      assert.equal((await state()).selection, null);
      await press('Escape');
      assert.equal((await state()).call, null);

      // Threads are buttons, and Tab reaches everything with a visible focus.
      // (Collapsing a thread may bring others into view, so it is known by its number.)
      const thread = Number((await page.locator('.thread').first().getAttribute('data-key')).slice(1));
      const expanded = () => page.evaluate(id => globalThis.nophook.app.layout.by_thread.get(id).expanded, thread), before = await expanded();
      assert.equal(await page.locator('.thread').first().getAttribute('aria-expanded'), String(before));
      await page.locator('.thread').first().focus();
      await press('Enter');
      assert.equal(await expanded(), !before);
      await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
      const reached = new Set();
      for (let i = 0; i < 60; i++) {
        await page.keyboard.press('Tab');
        const {id, outlined} = await page.evaluate(() => {
          const element = document.activeElement, style = getComputedStyle(element), inner = getComputedStyle(document.getElementById('stick'), '::after');
          const shown = element.id === 'scroll' ? inner.outlineStyle : style.outlineStyle;
          return {id: element.id || element.className, outlined: element === document.body || shown !== 'none'};
        });
        assert.ok(outlined, `the focus on ${id} is not to be seen`);
        reached.add(id);
      }
      for (const id of ['search', 'theme', 'help', 'expand', 'scroll', 'splitter', 'tab-slowest']) assert.ok(reached.has(id), `Tab does not reach ${id}`);
      const height = await page.locator('#panel').evaluate(panel => panel.clientHeight);
      await page.locator('#splitter').focus();
      await press('ArrowUp');
      assert.ok(await page.locator('#panel').evaluate(panel => panel.clientHeight) > height);
      for (const canvas of await page.locator('canvas:not([aria-hidden])').all())
        assert.ok(await canvas.getAttribute('aria-label'), 'each canvas has a text');
      const unnamed = await page.locator('button').evaluateAll(all => all.filter(b => !b.textContent.trim() && !b.getAttribute('aria-label')).length);
      assert.equal(unnamed, 0);
    },
  },

  theme: {
    async run(session) {
      // The system's choice at first; T and the button change it, and the URL keeps that.
      const shades = {};
      for (const colorScheme of ['light', 'dark']) {
        const page = await session.open('', {colorScheme});
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
        shades[colorScheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        assert.ok(await session.pixels(page, 'rows', 'canvas') > 0, 'the timeline has the background of the theme');
        await session.screenshot(page, colorScheme);
        await page.keyboard.press('t');
        const other = colorScheme === 'dark' ? 'light' : 'dark';
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), other);
        await session.until(page, other => location.hash.includes(`theme=${other}`), other);
        await session.idle(page);
        assert.ok(await session.pixels(page, 'rows', 'canvas') > 0);
        await page.locator('#theme').click();
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
      }
      assert.notEqual(shades.light, shades.dark);
    },
  },

  damaged: {
    recording: 'damaged', made_up: true,
    async run(session) {
      const page = await session.open(), text = await page.locator('#notices').innerText();
      assert.match(text, /The recording is damaged: the recording is cut at byte 664; 32,425 bytes are skipped/);
      assert.match(text, /This page leaves out 5,000 calls/);
      assert.ok(Number((await dataset(page, 'rows')).records) > 0, 'the rest is shown');

      // A page whose data block is broken says so.
      const broken = recordings.server(3);
      broken.calls.count++;
      const other = await session.open('', {url: session.single_page('broken', broken)});
      assert.match(await other.locator('#empty').innerText(), /cannot be shown\s+the page is damaged/);
    },
  },

  empty: {
    recording: 'empty', made_up: true,
    async run(session) {
      const page = await session.open();
      assert.match(await page.locator('#empty').innerText(), /The recording is empty[\s\S]*nophook list/);
      assert.ok(!await page.locator('#work').isVisible());
      for (const key of 'wasdjklhnm123zeuvx0') await page.keyboard.press(key);
      await session.idle(page);
    },
  },

  threads: {
    recording: 'many_threads', made_up: true,
    async run(session) {
      // 1,000 threads: few elements, few rectangles, and the last thread can be reached and expanded.
      const page = await session.open();
      assert.match(await page.locator('#summary').textContent(), /1,000 threads/);
      const elements = () => page.locator('.thread').count();
      assert.ok(await elements() < 60);
      const {rectangles, records} = await dataset(page, 'rows');
      assert.ok(Number(rectangles) > 100 && Number(rectangles) <= 10000 && Number(records) < 50000);
      const asked = await page.evaluate(() => globalThis.nophook.timeline.window().threads.length);
      assert.ok(asked < 60, 'only threads in view are asked for');
      await session.screenshot(page, 'threads');
      await page.locator('#scroll').evaluate(scroll => scroll.scrollTo(0, scroll.scrollHeight));
      await page.locator('.thread', {hasText: '5710'}).waitFor();
      await session.idle(page);
      assert.ok(await elements() < 60);
      await page.locator('.thread', {hasText: '5710'}).click();
      await session.until(page, () => globalThis.nophook.app.state.toggled.length === 1);
      assert.equal(await page.locator('.thread', {hasText: '5710'}).getAttribute('aria-expanded'), 'true');
      // Scrolling by keys leaves nothing behind.
      await page.locator('#scroll').focus();
      for (let i = 0; i < 8; i++) await page.keyboard.press('PageUp');
      await session.idle(page);
      const keys = await page.locator('.thread').evaluateAll(threads => threads.map(thread => Number(thread.dataset.key.slice(1))));
      assert.deepEqual(keys, [...keys].sort((a, b) => a - b), 'Tab follows the order on the screen');
      assert.ok(await elements() < 60);
      await page.keyboard.press('Shift+X'); // collapses the one
      await page.keyboard.press('Shift+X'); // expands all
      await session.until(page, () => globalThis.nophook.app.layout.by_thread.get(0).expanded);
      await session.idle(page);
      assert.ok(Number((await dataset(page, 'rows')).rectangles) <= 10000);
      assert.ok(await elements() < 60);
    },
  },

  server: {
    made_up: true,
    async run(session) {
      // The page asks a server by the protocol, under its policy, and shows the same as a single page.
      const content = recordings.server(), single = await session.open('');
      const server = await session.serve(content), page = await session.open('', {url: server.url});
      for (const id of ['rows', 'overview']) assert.ok(await session.picture(page, id) === await session.picture(single, id), `${id} differs`);
      const asked = name => server.asked.filter(path => path.includes(`/api/${name}`));
      assert.match(asked('rows')[0], /from=\d+&to=\d+&threads=[\d,]+&columns=\d+&depths=\d+/);
      assert.equal(asked('recording').length, 1);
      assert.equal(asked('selection').length, 1);
      const before = asked('rows').length;
      await page.keyboard.press('d');
      await session.idle(page);
      assert.equal(asked('rows').length, before, 'the whole recording is here: a pan asks for nothing');

      // The server ends: the page says so and goes on with what it has.
      session.expected = /Failed to load resource|net::ERR/;
      await server.stop();
      await page.locator('#notices .bad').waitFor();
      assert.match(await page.locator('#notices').innerText(), /nophook view has ended/);
      for (let i = 0; i < 6; i++) await page.keyboard.press('w');
      await session.idle(page);
      assert.ok(Number((await dataset(page, 'rows')).rectangles) > 0);
    },
  },

  indexing: {
    made_up: true,
    async run(session) {
      // While the index is made, the page shows how far it is, and asks again until it is complete.
      const steps = [0.25, 0.5, 1];
      let refused = '';
      const server = await session.serve(recordings.server(), {indexed: () => steps.length > 1 ? steps.shift() : steps[0], refuse: what => what === 'call' ? refused : undefined});
      const page = await session.open('', {url: server.url});
      await session.until(page, () => globalThis.nophook.app.recording.indexed === 1);
      await session.idle(page);
      assert.equal(await page.locator('#notices progress').count(), 0);
      const asked = server.asked.filter(path => path.includes('/api/recording')).length;
      assert.equal(asked, 3);
      assert.ok(server.asked.filter(path => path.includes('/api/selection')).length >= 2, 'the table is refined');

      // An answer that the server refuses is shown with its words.
      refused = 'the block at byte 4096 does not have its checksum';
      session.expected = /Failed to load resource/;
      await page.keyboard.press('j');
      await page.locator('#notices .bad').waitFor();
      assert.match(await page.locator('#notices').innerText(), /the block at byte 4096 does not have its checksum/);
      await page.getByRole('button', {name: 'Close', exact: true}).first().click();
      assert.equal(await page.locator('#notices .bad').count(), 0);
      await server.stop();
    },
  },

  pictures: {
    made_up: true,
    async run(session) {
      // What the documents show.
      const select = '#s=400000,2800000,3&c=3,1,441175';
      for (const [name, hash, colorScheme] of [['selection', `${select}&tab=flame`, 'light'], ['search', '#q=Store::find&tab=slowest', 'dark']]) {
        const page = await session.open(hash, {colorScheme, width: 1280, height: 760});
        assert.ok(Number((await dataset(page, 'rows')).rectangles) > 0);
        await session.screenshot(page, name);
      }
    },
  },
};
