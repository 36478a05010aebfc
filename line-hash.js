// One line's tag in oh-my-pi's scheme, as fast as each engine can have it.
//
// V8 calls a native function in about 100 ns, quicker than it strips and hashes a line itself.
// JavaScriptCore needs about 300 ns for the same call but is quick at plain loops, so there ASCII
// lines are hashed here and only the others go to Rust. A test holds both roads to the same tags.
// docs/adr/0003 has the figures.

import { text } from "./arguments.js";
import { native } from "./native.js";

const TAGS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** xxHash32's primes. */
const [P1, P2, P3, P4, P5] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1];

const LONGEST = 512;
const stripped = new Uint8Array(LONGEST);

/** The tag of `line`, hashed in Rust. */
export function tagNatively(line) {
  const byte = native.lineHash(line);
  if (byte === undefined) throw new Error(`no memory for a line of ${text(line, "line").length} characters`);
  return TAGS[byte];
}

/** The tag of `line`, hashed here if it is short ASCII. */
export function tagInScript(line) {
  if (typeof line !== "string" || line.length > LONGEST) return tagNatively(line);
  let length = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    if (unit > 0x7f) return tagNatively(line);
    if (unit > 0x20 || (unit !== 0x20 && (unit < 0x09 || unit > 0x0d))) stripped[length++] = unit;
  }
  return TAGS[xxh32(stripped, length) & 0xff];
}

/** The quicker of the two in this engine. */
export const tag = process.versions.bun === undefined ? tagNatively : tagInScript;

/** xxHash32 with seed 0 of the first `length` bytes, as a signed number. */
function xxh32(bytes, length) {
  let at = 0;
  let hash = P5;
  if (length >= 16) {
    let [a, b, c, d] = [(P1 + P2) | 0, P2 | 0, 0, -P1 | 0];
    do {
      a = mix(a, word(bytes, at));
      b = mix(b, word(bytes, at + 4));
      c = mix(c, word(bytes, at + 8));
      d = mix(d, word(bytes, at + 12));
      at += 16;
    } while (at + 16 <= length);
    hash = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) {
    hash = Math.imul(rotate((hash + Math.imul(word(bytes, at), P3)) | 0, 17), P4);
  }
  for (; at < length; at++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[at], P5)) | 0, 11), P1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), P2);
  hash = Math.imul(hash ^ (hash >>> 13), P3);
  return hash ^ (hash >>> 16);
}

function mix(lane, input) {
  return Math.imul(rotate((lane + Math.imul(input, P2)) | 0, 13), P1);
}

function rotate(value, bits) {
  return (value << bits) | (value >>> (32 - bits));
}

function word(bytes, at) {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}
