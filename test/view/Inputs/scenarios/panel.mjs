// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is below the timeline, about a selection.

import assert from 'node:assert/strict';
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
};
