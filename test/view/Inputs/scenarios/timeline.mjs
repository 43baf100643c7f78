// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The timeline: zoom, pan, a thousand threads, colours.

import assert from 'node:assert/strict';
import {dataset, drag, middle, near} from './acting.mjs';

export const timeline = {
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

      // Each key that moves has one that moves back.
      for (let i = 0; i < 4; i++) await page.keyboard.press('w');
      for (const [there, back] of [['d', 'a'], ['ArrowRight', 'ArrowLeft'], ['+', '-']]) {
        const start = await session.view(page);
        await page.keyboard.press(there);
        const other = await session.view(page);
        assert.ok(there === '+' ? other.to - other.from < start.to - start.from : other.from > start.from, there);
        await page.keyboard.press(back);
        near((await session.view(page)).from, start.from, (whole.to - whole.from) / 1e6);
      }

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
      await session.idle(page); // the state comes first, then what shows it
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

  pictures: {
    made_up: true,
    async run(session) {
      // The pictures of the documents. (The picture of the tutorial is taken in its own scenario.)
      const page = await session.open('#q=Store::find&tab=slowest', {colorScheme: 'dark', width: 1280, height: 760});
      assert.ok(Number((await dataset(page, 'rows')).rectangles) > 0);
      await session.screenshot(page, 'search');
    },
  },

  dense: {
    recording: 'dense', made_up: true,
    async run(session) {
      // More calls than a frame may have rectangles: the rest are pixels, and none is missing from the picture.
      const page = await session.open(), {records, rectangles} = await dataset(page, 'rows');
      assert.ok(Number(records) > 50000, `${records} records`);
      assert.ok(Number(rectangles) > 9000 && Number(rectangles) <= 10000, `${rectangles} rectangles`);
      const uncovered = await page.evaluate(() => {
        const {timeline, app} = globalThis.nophook, {canvas} = timeline, {data, width} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const [r, g, b] = app.palette.background, block = app.layout.by_thread.get(1);
        let bare = 0;
        for (let level = 0; level < block.levels; level++) {
          const line = Math.round(block.top + (level + 0.3) * block.level_height);
          for (let x = 10; x < width - 30; x++) {
            const at = 4 * (line * width + x);
            if (data[at] === r && data[at + 1] === g && data[at + 2] === b) bare++;
          }
        }
        return bare / block.levels / (width - 40);
      });
      assert.ok(uncovered < 0.1, `${uncovered} of the calls' pixels are background`);
      for (let i = 0; i < 4; i++) {
        await page.keyboard.press('w');
        await session.idle(page);
        assert.ok(Number((await dataset(page, 'rows')).rectangles) <= 10000);
      }
    },
  },

  hundred_rows: {
    recording: 'hundred_rows', made_up: true,
    async run(session) {
      // 100 rows are all expanded, each is high enough for its label, and labels are drawn on the last one, too.
      const page = await session.open(), rows = await page.evaluate(() => {
        const {layout} = globalThis.nophook.app;
        return {levels: layout.blocks.reduce((sum, block) => sum + block.levels, 0), least: Math.min(...layout.blocks.map(block => block.level_height)), expanded: layout.blocks.every(block => block.expanded)};
      });
      assert.deepEqual(rows, {levels: 100, least: 18, expanded: true});
      await page.locator('#scroll').evaluate(scroll => scroll.scrollTo(0, scroll.scrollHeight));
      await page.locator('.thread', {hasText: '4730'}).waitFor();
      await session.idle(page);
      assert.ok(await session.pixels(page, 'rows', 'label') > 100, 'labels are drawn');
      const texts = await page.locator('.thread .name').evaluateAll(names => names.map(name => Number.parseFloat(getComputedStyle(name).fontSize)));
      assert.ok(texts.length > 3 && texts.every(size => size >= 11), texts.join());
    },
  },
};
