// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call after the other: search and details.

import assert from 'node:assert/strict';
import {dataset} from './acting.mjs';

const kOtherTimes = 0.12; // another run of the tutorial's server changes 4 to 6 % of the pixels, another recording 20 %

/** The picture of README.md and docs/tutorial.md: what a reader sees at this step. */
async function take_picture(session, hash) {
  const page = await session.open(hash, {colorScheme: 'light', width: 1280, height: 940});
  await session.screenshot(page, 'selection', kOtherTimes);
  await page.close();
}

export const calls = {
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
      // The hits of the first letters go when the last one is typed.
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
      // Losses are hatched: pixels of the hatching and of the ground take turns. The end of a thread is a line to its bottom.
      const shades = (thread, depth, from, to) => page.evaluate(([thread, depth, from, to]) => {
        const {app, timeline} = globalThis.nophook, block = app.layout.by_thread.get(thread), y = Math.round(block.top + (depth + 0.5) * block.level_height - timeline.scroll);
        const x = Math.round(timeline.x_of(from)), {data} = timeline.canvas.getContext('2d').getImageData(x, y, Math.max(1, Math.round(timeline.x_of(to)) - x), 1);
        return Array.from({length: data.length / 4}, (_, i) => `${data[4 * i]},${data[4 * i + 1]},${data[4 * i + 2]}`);
      }, [thread, depth, from, to]);
      const hatched = await shades(loss.thread, 1, loss.from, loss.to), changes = hatched.filter((shade, i) => i && shade !== hatched[i - 1]).length;
      assert.ok(hatched.length > 20 && changes > hatched.length / 8, `${changes} changes in ${hatched.length} pixels of a loss`);
      const view = await session.view(page), pixel = (view.to - view.from) / await page.evaluate(() => globalThis.nophook.timeline.width);
      const end = await page.evaluate(() => globalThis.nophook.app.source.page.events.ends[0]);
      const around = await shades(end.thread, 4, end.time - 4 * pixel, end.time + 4 * pixel), beside = await shades(end.thread, 4, end.time - 12 * pixel, end.time - 8 * pixel);
      assert.ok(around.some(shade => !beside.includes(shade)), 'the end of the thread is drawn');
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

  tutorial: {
    async run(session) {
      // The steps of docs/tutorial.md: the slow request and why it is slow. (Another load of the machine may slow a request down more.)
      const page = await session.open();
      await page.locator('#tab-slowest').click();
      await page.keyboard.press('/');
      await page.keyboard.type('handle');
      await page.locator('#search-results button', {hasText: 'Server::handle'}).click();
      await session.until(page, () => globalThis.nophook.app.call);
      await page.getByRole('button', {name: 'Slowest of these'}).click();
      await session.idle(page);
      const jumps = page.locator('.jump'), names = await jumps.locator('.name').allTextContents();
      assert.ok(names.length > 5 && names.every(name => name === 'Server::handle'), names.join());
      // One of the slowest calls compacts the store: 20 times, and looks at 8,000 lines.
      let compacts = false;
      for (let i = 0; i < names.length && !compacts; i++) {
        await jumps.nth(i).focus();
        await page.keyboard.press('Enter');
        await session.until(page, () => globalThis.nophook.app.call);
        await session.idle(page);
        assert.equal(await page.locator('#details h2').textContent(), 'Server::handle');
        await page.getByRole('button', {name: 'Select its time'}).click();
        await session.idle(page);
        await page.keyboard.press('2');
        await session.idle(page);
        const calls = await page.evaluate(() => {
          const {app, panel} = globalThis.nophook, {tree} = panel.answer, sums = {};
          tree.function.forEach((fn, at) => sums[app.name(fn)] = (sums[app.name(fn)] ?? 0) + tree.calls[at]);
          return sums;
        });
        compacts = calls['Store::compact'] === 1;
        if (compacts) {
          assert.deepEqual([calls['Store::is_current'], calls['Store::put']], [8000, 1]);
          await take_picture(session, await page.evaluate(() => location.hash));
        }
        await page.keyboard.press('3');
        await page.locator('#clear-selection').click();
        await session.idle(page);
      }
      assert.ok(compacts, 'no slow request compacts the store');
      assert.match(await page.locator('#details').innerText(), /Arguments\s+this=/);
    },
  },
};
