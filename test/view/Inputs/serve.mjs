// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server that answers as `nophook view` does, from a made-up recording. With it a test can have an index that is
// being made, an error, or a server that ends.

import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import {EmbeddedSource} from '../../../tools/show/view/page/embedded_source.js';

const kPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'";
const kTypes = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css'};

/**
 * @param {string} folder the page's
 * @param {object} content of recordings.mjs
 * @param {{indexed?: () => number, refuse?: (what: string) => string|undefined, ready?: (what: string) => Promise<void>}} behaviour
 */
export async function serve(folder, content, behaviour = {}) {
  const source = new EmbeddedSource(content), asked = [];
  const numbers = text => text === null ? null : text.split(',').filter(part => part !== '').map(Number);
  const answer = async (what, query) => {
    const range = {from: Number(query.get('from')), to: Number(query.get('to')), threads: numbers(query.get('threads'))};
    const number = name => query.has(name) ? Number(query.get(name)) : undefined;
    switch (what) {
      case 'recording': return {...await source.recording(), indexed: behaviour.indexed?.() ?? 1};
      case 'functions': return source.functions();
      case 'rows': return source.encoded_rows({...range, columns: number('columns'), depths: number('depths')});
      case 'events': return source.events({...range, limit: number('limit')});
      case 'call': return source.call(number('thread'), number('depth'), number('at'));
      case 'search': return source.search(query.get('name'), number('limit'));
      case 'hits': return source.hits({...range, functions: numbers(query.get('functions')), columns: number('columns')});
      case 'other': return source.other();
      case 'hit': return {hit: await source.hit({functions: numbers(query.get('functions')), forward: query.get('forward') === '1',
        place: {at: number('at'), thread: number('thread'), depth: number('depth')}})};
      case 'selection': return source.selection({...range, function: number('function')});
    }
    return null;
  };
  const server = http.createServer(async (request, response) => {
    const url = new URL(request.url, 'http://127.0.0.1'), name = url.pathname.replace(/^\/token\//, '');
    response.setHeader('Content-Security-Policy', kPolicy);
    if (!name.startsWith('api/')) {
      const file = path.join(folder, name === '' ? 'index.html' : path.basename(name));
      response.setHeader('Content-Type', kTypes[path.extname(file)] ?? 'text/plain');
      return fs.existsSync(file) ? response.end(fs.readFileSync(file)) : response.writeHead(404).end();
    }
    const what = name.slice(4);
    if (what === 'alive') return response.writeHead(200, {'Content-Type': 'text/event-stream'}).flushHeaders();
    asked.push(url.pathname + url.search);
    await behaviour.ready?.(what);
    const refused = behaviour.refuse?.(what);
    const result = refused ? null : await answer(what, url.searchParams);
    if (result instanceof ArrayBuffer) return response.setHeader('Content-Type', 'application/octet-stream').end(Buffer.from(result));
    response.setHeader('Content-Type', 'application/json');
    if (result === null) response.statusCode = refused ? 500 : 404;
    response.end(JSON.stringify(result ?? {error: refused ?? 'there is nothing'}));
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise(resolve => {
    server.close(resolve);
    server.closeAllConnections();
  });
  return {url: `http://127.0.0.1:${server.address().port}/token/`, asked, stop};
}
