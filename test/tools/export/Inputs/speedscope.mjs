// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// speedscope.mjs FILE...: opens each FILE with speedscope in Chromium. FILE.read gets what speedscope has read, as its own
// export writes it. FILE.shown gets what it shows in its table, as [{profile, rows: [[total, self, function]]}].

import fs from 'node:fs';
import {pathToFileURL} from 'node:url';

const kPatience = Number(process.env.NOPHOOK_PATIENCE ?? 120) * 1000; // for machines that do much else
const source = new URL('../../../../build/src/', import.meta.url);
const {chromium} = await import(new URL('playwright-core/index.mjs', source));
const browser = await chromium.launch({
  executablePath: process.env.NOPHOOK_CHROMIUM ?? '/usr/bin/chromium', timeout: kPatience, chromiumSandbox: false,
});
try {
  for (const file of process.argv.slice(2)) {
    const page = await browser.newPage({viewport: {width: 1400, height: 4000}}), complaints = []; // a table has the rows in sight only
    page.setDefaultTimeout(kPatience);
    page.on('pageerror', error => complaints.push(error.stack));
    page.on('dialog', dialog => (complaints.push(dialog.message()), dialog.dismiss()));
    page.on('console', message => {
      if (/Doing nothing|still open|Failed|Unrecognized/.test(message.text())) complaints.push(message.text());
    });
    await page.goto(pathToFileURL(new URL('speedscope/dist/release/index.html', source).pathname).href);
    await page.setInputFiles('input[type=file]', file);
    const save = page.getByText(/Export$/).last();
    await Promise.race([save.waitFor(), page.waitForEvent('dialog'), page.waitForEvent('pageerror')]);
    if (complaints.length) throw new Error(`${file}: speedscope says:\n${complaints.join('\n')}`);
    const [download] = await Promise.all([page.waitForEvent('download'), save.click()]);
    await download.saveAs(`${file}.read`);

    await page.keyboard.press('3'); // the table
    const tables = [], profiles = JSON.parse(fs.readFileSync(`${file}.read`, 'utf8')).profiles;
    for (const [number, profile] of profiles.entries()) {
      const place = `(${number + 1}/${profiles.length})`;
      if (profiles.length > 1) await page.waitForFunction(place => document.body.innerText.includes(place), place);
      await page.getByText('Symbol Name').waitFor();
      // A row is drawn a frame later than the table.
      await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
      const rows = await page.locator('tr').evaluateAll(rows => rows.filter(row => row.cells.length === 3 && row.cells[0].tagName === 'TD')
        .filter(row => /%\)$/.test(row.cells[0].innerText.trim())).map(row => [...row.cells].map(cell => cell.innerText.trim())));
      tables.push({profile: profile.name, rows});
      await page.keyboard.press('n'); // the next profile
    }
    fs.writeFileSync(`${file}.shown`, JSON.stringify(tables, null, 1));
    if (complaints.length) throw new Error(`${file}: speedscope says:\n${complaints.join('\n')}`);
    await page.close();
  }
} finally {
  await browser.close();
}
