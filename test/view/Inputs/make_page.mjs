// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes recordings of recordings.mjs as single pages, as `nophook view --output` does:
//   node make_page.mjs PAGE_FOLDER OUTPUT_FOLDER
// The page has a policy against everything that is not in it.

import fs from 'node:fs';
import path from 'node:path';
import * as recordings from './recordings.mjs';

/** @param {string} folder tools/show/view/page @param {object} content */
export function single_page(folder, content) {
  const read = name => fs.readFileSync(path.join(folder, name), 'utf8');
  const imports = {};
  for (const name of fs.readdirSync(folder).filter(name => name.endsWith('.js'))) {
    const text = read(name).replace(/from '\.\//g, "from 'nophook/");
    imports[`nophook/${name}`] = `data:text/javascript;base64,${Buffer.from(text).toString('base64')}`;
  }
  const json = value => JSON.stringify(value).replace(/</g, '\\u003c');
  const replace = (text, line, by) => {
    if (!text.includes(line)) throw new Error(`index.html lacks ${line}`);
    return text.replace(line, () => by);
  };
  let page = replace(read('index.html'), '<link rel="stylesheet" href="style.css">', `<style>\n${read('style.css')}</style>`);
  page = replace(page, '<script type="module" src="main.js"></script>', [
    `<script type="importmap">${json({imports})}</script>`,
    `<script type="application/json" id="nophook-recording">${json(content)}</script>`,
    `<script type="module">import 'nophook/main.js';</script>`].join('\n'));
  return page;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [, , folder, output] = process.argv;
  fs.mkdirSync(output, {recursive: true});
  for (const name of ['server', 'many_threads', 'empty', 'damaged'])
    fs.writeFileSync(path.join(output, `${name}.html`), single_page(folder, recordings[name]()));
}
