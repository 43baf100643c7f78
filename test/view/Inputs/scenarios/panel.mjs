// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The panel below the timeline, about a selection.

import assert from 'node:assert/strict';
import * as recordings from '../recordings.mjs';
import {dataset, drag, near, row_texts} from './acting.mjs';

export const panel = {
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
      // The table shows the same as a look at each call.
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

      // The calls of one function.
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

  compare: {
    recording: 'compared', made_up: true,
    async run(session) {
      // The table: both recordings' numbers; by the change, what grew comes first.
      const page = await session.open(), cell = (name, column) => page.evaluate(([name, column]) =>
        [...document.querySelectorAll('#table-body tr[data-function]')].find(row => row.querySelector('.name').textContent === name)?.querySelector(`.${column}`)?.textContent, [name, column]);
      assert.equal(await page.locator('#compare').textContent(), 'Against before.data');
      await page.locator('th[data-column="change"] button').click();
      await session.idle(page);
      assert.equal((await row_texts(page))[0], 'Store::find');
      assert.match(await cell('Store::find', 'change'), /^\+\d+\.\d %$/);
      assert.equal(await cell('Log::flush', 'other_calls'), '0');
      assert.equal(await cell('Log::flush', 'calls'), '1');
      const {calls, other} = await page.evaluate(() => {
        const {app, panel} = globalThis.nophook, fn = app.functions.short.indexOf('Store::find');
        return {calls: panel.answer.table.find(row => row.function === fn).calls, other: panel.other.selection.table.find(row => panel.numbers[row.function] === fn).calls};
      });
      assert.equal(calls, other + 120, 'the slow request finds 120 times more often');
      assert.deepEqual([await cell('Store::find', 'calls'), await cell('Store::find', 'other_calls')], [String(calls), String(other)]);
      await page.locator('th[data-column="change"] button').click(); // shrunk functions come first
      await session.idle(page);
      assert.match(await cell('Log::sync', 'change'), /^−/);
      assert.equal(await cell('Log::sync', 'calls'), '0');

      // The flame graph: red where the share grew, blue where it shrank; C takes both away and the URL says so.
      await page.locator('#tab-flame').click();
      await session.idle(page);
      const reddish = () => page.evaluate(() => {
        const canvas = document.getElementById('flame'), {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        let red = 0, blue = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (data[i] > data[i + 2] + 30) red++;
          if (data[i + 2] > data[i] + 20) blue++;
        }
        return {red, blue};
      });
      const {red, blue} = await reddish();
      assert.ok(red > 500 && blue > 500, `${red} red pixels, ${blue} blue ones`);
      const frame = await page.evaluate(() => {
        const {app, flame} = globalThis.nophook, found = flame.rectangles.find(r => r.frame.function >= 0 && app.name(r.frame.function) === 'Store::compact');
        const box = flame.canvas.getBoundingClientRect();
        return {x: box.left + found.x + found.width / 2, y: box.top + found.level * 18 + 9};
      });
      await page.mouse.move(frame.x, frame.y);
      assert.match(await page.locator('#tip').textContent(), /before [\d.]+ \S+: \+\d+\.\d %/);
      await session.screenshot(page, 'compare');
      const picture = await session.picture(page, 'flame');
      await page.keyboard.press('u');
      await session.idle(page);
      assert.ok((await reddish()).red > 500, 'both ways up');
      await page.keyboard.press('u');
      await page.keyboard.press('c');
      await session.idle(page);
      assert.notEqual(await session.picture(page, 'flame'), picture);
      assert.match(new URL(page.url()).hash, /d=0/);
      await page.keyboard.press('1');
      await session.idle(page);
      assert.equal(await cell('Store::find', 'other_calls'), undefined);
      assert.equal(await cell('Log::sync', 'calls'), undefined);
      await page.goBack();
      await page.goBack();
      await session.until(page, () => globalThis.nophook.app.state.compared);

      // From a server, it is the same picture.
      const server = await session.serve(await recordings.compared()), served = await session.open('#tab=flame', {url: server.url});
      await session.idle(served);
      assert.equal(server.asked.filter(path => path.includes('/api/other')).length, 1);
      const alone = await session.open('#tab=flame');
      assert.ok(await session.picture(served, 'flame') === await session.picture(alone, 'flame'), 'the flame graphs differ');
      await server.stop();
      session.expected = /Failed to load resource|net::ERR/;
    },
  },

  compare_recorded: {
    async run(session) {
      // Two real recordings of one program: the same functions meet, with the numbers that each has alone.
      const page = await session.open();
      await session.until(page, () => globalThis.nophook.panel.other?.recording.indexed === 1);
      await session.idle(page);
      const rows = await page.evaluate(async () => {
        const {app, panel, table} = globalThis.nophook, other = await app.source.other();
        const calls = Object.fromEntries(other.selection.table.map(row => [other.functions.full[row.function], row.calls]));
        return table.rows.map(row => ({name: app.functions.full[row.function], calls: row.calls, other: row.other_calls, wanted: calls[app.functions.full[row.function]] ?? 0,
          own: panel.answer.table.find(own => own.function === row.function)?.calls ?? 0, change: row.change}));
      });
      assert.ok(rows.length > 5);
      for (const row of rows) assert.deepEqual([row.calls, row.other], [row.own, row.wanted], row.name);
      assert.ok(rows.filter(row => row.calls && row.other && row.calls !== row.other).length > 2, 'the recordings differ');
      assert.ok(Math.abs(rows.reduce((sum, row) => sum + row.change, 0)) < 1e-6);
      await page.keyboard.press('2');
      await session.idle(page);
      const most = await page.evaluate(() => globalThis.nophook.flame.changes.most);
      assert.ok(most > 0 && most <= 1, `${most}`);
    },
  },
};
