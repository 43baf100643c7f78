// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks the server, `nophook view`. The server ends when no page is open, so each page keeps one request open
// (`api/alive`); when that one breaks, the user learns that the command has ended.

import {decode_rows} from './rows.js';
import {SourceError} from './source.js';

/** @param {import('./source.js').Range} range @param {Record<string, string|number|null|undefined>} more */
function query(range, more = {}) {
  const parts = [`from=${range.from}`, `to=${range.to}`];
  if (range.threads) parts.push(`threads=${range.threads.join(',')}`);
  for (const [name, value] of Object.entries(more))
    if (value !== null && value !== undefined) parts.push(`${name}=${encodeURIComponent(value)}`);
  return parts.join('&');
}

/** @typedef {import('./source.js').Source} Source */

/** @implements {Source} */
export class RemoteSource {
  /** @param {string} base the address of the page */
  constructor(base) {
    this.api = new URL('api/', base).href;
  }

  /** @param {string} what @returns {Promise<Response>} */
  async ask(what) {
    let response;
    try {
      response = await fetch(this.api + what, {cache: 'no-store'});
    } catch {
      throw new SourceError('nophook view does not answer any more', true);
    }
    if (response.ok) return response;
    let message = `status ${response.status}`;
    try {
      message = (await response.json()).error ?? message;
    } catch {
      // The status is all that is known.
    }
    const error = new SourceError(message);
    throw Object.assign(error, {status: response.status});
  }

  /** @param {string} what */
  async json(what) {
    return (await this.ask(what)).json();
  }

  recording() {
    return this.json('recording');
  }

  functions() {
    return this.json('functions');
  }

  /** @param {import('./source.js').Range & {columns: number, depths: number}} asked */
  async rows(asked) {
    const {columns, depths} = asked;
    return decode_rows(await (await this.ask(`rows?${query(asked, {columns, depths})}`)).arrayBuffer());
  }

  /** @param {import('./source.js').Range & {limit?: number}} asked */
  events(asked) {
    return this.json(`events?${query(asked, {limit: asked.limit ?? 2000})}`);
  }

  /** @param {number} thread @param {number} depth @param {number} at */
  async call(thread, depth, at) {
    try {
      return await this.json(`call?thread=${thread}&depth=${depth}&at=${at}`);
    } catch (error) {
      if (/** @type {any} */ (error).status === 404) return null;
      throw error;
    }
  }

  /** @param {string} name @param {number} limit */
  search(name, limit = 50) {
    return this.json(`search?name=${encodeURIComponent(name)}&limit=${limit}`);
  }

  /** @param {import('./source.js').Range & {functions: number[], columns: number}} asked */
  hits(asked) {
    return this.json(`hits?${query(asked, {functions: asked.functions.join(','), columns: asked.columns})}`);
  }

  /** @param {{functions: number[], place: import('./source.js').HitPlace, forward: boolean}} asked */
  async hit({functions, place: {at, thread, depth}, forward}) {
    const where = thread === undefined ? '' : `&thread=${thread}&depth=${depth ?? 0}`;
    return (await this.json(`hit?functions=${functions.join(',')}&forward=${forward ? 1 : 0}&at=${at}${where}`)).hit;
  }

  /** @param {import('./source.js').Range & {function?: number|null}} asked */
  selection(asked) {
    return this.json(`selection?${query(asked, {function: asked.function})}`);
  }

  /** @returns {Promise<import('./source.js').Other|null>} */
  other() {
    return this.json('other');
  }

  /** @param {() => void} when_gone */
  alive(when_gone) {
    const stream = new EventSource(`${this.api}alive`);
    stream.onerror = () => {
      stream.close();
      when_gone();
    };
  }
}
