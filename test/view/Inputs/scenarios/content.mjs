// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Recordings and servers that are no ordinary ones.

import assert from 'node:assert/strict';
import * as recordings from '../recordings.mjs';
import {dataset} from './acting.mjs';

export const content = {
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

  slow_indexing: {
    made_up: true,
    async run(session) {
      // Each answer takes longer than the page needs to hear that more has been read. It is shown all the same.
      let indexed = 0.2, is_whole = false, earlier = [], later = [];
      const ready = what => {
        if (what === 'recording') {
          for (const answer of earlier) answer(); // they have seen a whole turn
          [earlier, later] = [later, []];
        }
        if (is_whole) { // the page asks for the recording once more, and no turn follows
          for (const answer of [...earlier, ...later]) answer();
          return Promise.resolve();
        }
        return what === 'rows' || what === 'selection' ? new Promise(answer => later.push(answer)) : Promise.resolve();
      };
      const server = await session.serve(recordings.server(), {indexed: () => is_whole ? 1 : indexed += (1 - indexed) / 20, ready});
      const page = await session.open('', {url: server.url, idle: false});
      const drawn = () => Number(globalThis.document.getElementById('rows').dataset.records) > 0;
      await session.until(page, drawn);
      await page.locator('#table tbody tr[data-function]').first().waitFor();
      assert.match(await page.locator('#range').innerText(), /^Whole recording, as far as it has been read \(\d+.*%\)/);
      const first = server.asked.filter(path => path.includes('/api/selection')).length;
      for (let turn = 0; turn < 3; turn++) { // the picture stays while the next one is made
        const asked = server.asked.length;
        while (server.asked.length < asked + 3) await page.waitForTimeout(20);
        assert.ok(await page.evaluate(drawn), 'lanes are blank');
      }
      is_whole = true;
      await session.until(page, () => globalThis.nophook.app.recording.indexed === 1);
      await session.until(page, () => globalThis.document.getElementById('range').textContent === 'Whole recording');
      assert.ok(server.asked.filter(path => path.includes('/api/selection')).length > first, 'the table is refreshed');
      await server.stop();
    },
  },

  left_out: {
    async run(session) {
      // A page that does not hold the whole recording says so.
      const page = await session.open(), text = await page.locator('#notices').innerText();
      assert.match(text, /This page leaves out \d[\d,]* calls, from 0 ns to/);
      assert.match(text, /This page leaves out the arguments and results of \d[\d,]* calls, those of the shortest/);
      const {rectangles} = await dataset(page, 'rows');
      assert.ok(Number(rectangles) > 0 && Number(rectangles) <= 10000, `${rectangles} rectangles`);
    },
  },

  damaged_recorded: {
    async run(session) {
      const page = await session.open();
      assert.match(await page.locator('#notices').innerText(), /The recording is damaged: .*the recording is cut/);
      assert.ok(Number((await dataset(page, 'rows')).records) > 0, 'the rest is shown');
      await page.keyboard.press('j');
      await session.until(page, () => globalThis.nophook.app.call);
    },
  },

  empty_recorded: {
    async run(session) {
      const page = await session.open();
      assert.match(await page.locator('#empty').innerText(), /The recording is empty/);
      for (const key of 'wsj0') await page.keyboard.press(key);
      await session.idle(page);
    },
  },
};
