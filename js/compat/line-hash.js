// One line's tag in oh-my-pi's scheme, computed in the fastest way for each engine.
//
// V8 calls a native function in 80 to 90 ns, quicker than it strips and hashes a line itself.
// JavaScriptCore needs about 300 ns for the same call but is quick at plain loops, so there ASCII
// lines are hashed here and only the others go to Rust. A test checks that both ways give the same tags.
// docs/adr/0003 has the figures.

import { text } from "../arguments.js";
import { openNative } from "../loader.js";

const native = openNative();

// Looked up once: the object has so many functions that V8 takes 5 ns for each lookup.
const { lineHash } = native;

const TAGS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** xxHash32's primes. */
const P1 = 0x9e3779b1 | 0;
const P2 = 0x85ebca77 | 0;
const P3 = 0xc2b2ae3d | 0;
const P4 = 0x27d4eb2f;
const P5 = 0x165667b1;

/** 0 for ASCII white space, 1 for the other ASCII characters. */
const HASHED = Uint8Array.from({ length: 128 }, (_, unit) => (/\s/.test(String.fromCharCode(unit)) ? 0 : 1));

const MAX_LENGTH = 512;
const stripped = new Uint8Array(MAX_LENGTH);
/** `stripped`, four bytes at a time: all engines that run this are little-endian. */
const words = new Int32Array(stripped.buffer);

/**
 * The tag of `line`, hashed in Rust.
 *
 * @type {(line: string) => string}
 */
export function tagNatively(line) {
  return TAGS[lineHash(text(line, "line"))];
}

/**
 * The tag of `line`, hashed here if it is short ASCII.
 *
 * @type {(line: string) => string}
 */
export function tagInScript(line) {
  if (typeof line !== "string" || line.length > MAX_LENGTH) return tagNatively(line);
  let length = 0;
  let all = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    all |= unit;
    // Branches on white space are mispredicted, so this writes every character and lets the next one overwrite
    // white space.
    stripped[length] = unit;
    length += HASHED[unit & 0x7f];
  }
  if (all > 0x7f) return tagNatively(line);
  return TAGS[xxh32(length) & 0xff];
}

/** The quicker of the two in this engine. */
export const tag = process.versions.bun === undefined ? tagNatively : tagInScript;

/**
 * xxHash32 with seed 0 of the first `length` bytes of `stripped`, as a signed number.
 *
 * @type {(length: number) => number}
 */
function xxh32(length) {
  const end = length >> 2;
  let at = 0;
  let hash = P5;
  if (length >= 16) {
    let a = (P1 + P2) | 0;
    let b = P2 | 0;
    let c = 0;
    let d = -P1 | 0;
    do {
      a = mix(a, words[at]);
      b = mix(b, words[at + 1]);
      c = mix(c, words[at + 2]);
      d = mix(d, words[at + 3]);
      at += 4;
    } while (at + 4 <= end);
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + length) | 0;
  for (; at < end; at++) {
    hash = Math.imul(rotate((hash + Math.imul(words[at], P3)) | 0, 17), P4);
  }
  for (let byte = end << 2; byte < length; byte++) {
    hash = Math.imul(rotate((hash + Math.imul(stripped[byte], P5)) | 0, 11), P1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return hash ^ (hash >>> 16);
}

/** @type {(lane: number, input: number) => number} */
function mix(lane, input) {
  return Math.imul(rotate((lane + Math.imul(input, P2)) | 0, 13), P1);
}

/** @type {(value: number, bits: number) => number} */
function rotate(value, bits) {
  return (value << bits) | (value >>> (32 - bits));
}
