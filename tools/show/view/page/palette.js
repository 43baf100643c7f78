// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of functions. A function has the same colour in each view and in each recording: its scope gives the hue, so
// the members of a class look related, and its own name shifts it a little. All colours of a theme are equally
// light, so the label is readable on each. The other colours are variables of style.css.

/** @typedef {[number, number, number]} Rgb */

/** @param {string} text */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h ^= h >>> 15;
  h = Math.imul(h, 0x85ebca6b);
  return (h ^ h >>> 13) >>> 0;
}

/** The common part of the names of related functions: `Store` of `Store::get`, `lua` of `lua_pushvalue`. @param {string} name */
export function family(name) {
  const plain = name.replace(/<[^<>]*>|\(.*$/g, '');
  const scope = plain.lastIndexOf('::');
  if (scope > 0) return plain.slice(0, scope);
  const word = /^[^a-zA-Z]*[a-zA-Z][a-z0-9]*/.exec(plain);
  return word ? word[0] : plain;
}

/** From the perceptual space OKLCH: equal lightness looks equal. @param {number} l @param {number} c @param {number} h @returns {Rgb} */
export function from_oklch(l, c, h) {
  const a = c * Math.cos(h * Math.PI / 180), b = c * Math.sin(h * Math.PI / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z,
    -1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z, -0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z];
  return /** @type {Rgb} */ (linear.map(v => {
    const clipped = Math.min(1, Math.max(0, v));
    return Math.round(255 * (clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055));
  }));
}

/** @param {string} name @param {boolean} dark @returns {Rgb} */
export function function_colour(name, dark) {
  const own = hash(name), hue = (hash(family(name)) % 24) * 15 + own % 13 - 6, shade = (own >>> 8) % 3 - 1;
  return dark ? from_oklch(0.44 + 0.03 * shade, 0.075, hue) : from_oklch(0.85 + 0.025 * shade, 0.075, hue);
}

/** Red: more than before; blue: less. @param {number} strength -1 to 1 @param {boolean} dark @returns {Rgb} */
export function change_colour(strength, dark) {
  const hue = strength > 0 ? 27 : 255, chroma = Math.min(1, Math.abs(strength));
  return dark ? from_oklch(0.42, 0.13 * chroma, hue) : from_oklch(0.93 - 0.16 * chroma, 0.125 * chroma, hue);
}

/** @param {Rgb} a @param {Rgb} b @param {number} share of b @returns {Rgb} */
export const mix = (a, b, share) => /** @type {Rgb} */ (a.map((v, i) => Math.round(v + (b[i] - v) * share)));

/** @param {Rgb} colour */
export const css = colour => `#${colour.map(v => v.toString(16).padStart(2, '0')).join('')}`;

/** @param {string} text "#rrggbb" @returns {Rgb} */
const parse_hex = text => /** @type {Rgb} */ ([1, 3, 5].map(at => parseInt(text.trim().slice(at, at + 2), 16)));

const kLevels = 40; // steps from the background to a colour

/** @param {Rgb} colour */
export const pixel_of = ([r, g, b]) => (0xff000000 | b << 16 | g << 8 | r) >>> 0;

export class Palette {
  /** @param {string[]} names @param {boolean} dark */
  constructor(names, dark) {
    this.names = names;
    this.dark = dark;
    const style = getComputedStyle(document.documentElement);
    const get = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    this.background = parse_hex(get('canvas'));
    this.stripe = parse_hex(get('stripe'));
    this.line = get('line');
    this.text = get('text');
    this.label = get('label');
    this.muted = get('muted');
    this.accent = get('accent');
    this.accent_veil = get('accent-veil');
    this.hit = get('hit');
    this.lost = get('lost');
    this.mark = get('mark');
    this.left = get('left');
    this.dead = get('dead');
    this.veil = get('veil');
    this.font = style.fontFamily;
    /** @type {(Rgb|undefined)[]} */
    this.colours = [];
    /** @type {Map<number, string>} */
    this.fills = new Map();
    /** @type {Map<number, number>} */
    this.pixels = new Map();
  }

  /** @param {number} fn @returns {Rgb} */
  rgb(fn) {
    return this.colours[fn] ??= function_colour(this.names[fn] ?? '', this.dark);
  }

  /**
   * The colour of a function as a text that a canvas takes.
   * @param {number} fn @param {boolean} dimmed @param {number} share 1: the colour itself, 0: the background
   */
  fill(fn, dimmed = false, share = 1) {
    const level = Math.round((dimmed ? 0.4 : 1) * share * kLevels), key = fn * (kLevels + 1) + level;
    let text = this.fills.get(key);
    if (text === undefined) this.fills.set(key, text = css(mix(this.background, this.rgb(fn), level / kLevels)));
    return text;
  }

  /** The same as the four bytes of a pixel. @param {number} fn @param {boolean} dimmed @param {number} share */
  pixel(fn, dimmed, share) {
    const level = Math.round((dimmed ? 0.4 : 1) * share * kLevels), key = fn * (kLevels + 1) + level;
    let word = this.pixels.get(key);
    if (word === undefined) this.pixels.set(key, word = pixel_of(mix(this.background, this.rgb(fn), level / kLevels)));
    return word;
  }
}
