// pi-hash: line anchors for coding agents. index.d.ts, which the build generates, documents
// every export.

import { json, number, object, optional, text, texts, unfit } from "./js/arguments.js";
import { openNative } from "./js/loader.js";

const native = openNative();

export { Session } from "./js/session.js";
export const { version } = native;

/** @type {typeof import("./index.js").judgeCommand} */
export function judgeCommand(command, place) {
  const asked = text(command, "command");
  const { root, cwd, home, env, settings } = object(place, "place");
  text(root, "place.root");
  optional(text, cwd, "place.cwd");
  optional(text, home, "place.home");
  for (const [name, value] of Object.entries(optional(object, env, "place.env") ?? {}))
    text(value, `place.env.${name}`);
  const { mode, ...lists } = optional(object, settings, "place.settings") ?? {};
  optional(text, mode, "place.settings.mode");
  for (const [name, list] of Object.entries(lists)) optional(texts, list, `place.settings.${name}`);
  const given = Object.entries(place).filter(([, value]) => value !== null);
  return native.judgeCommand(asked, { ...Object.fromEntries(given), root });
}

/** @type {typeof import("./index.js").checkSetting} */
export function checkSetting(name, value) {
  return native.checkSetting(text(name, "name"), json(value));
}

/** @type {typeof import("./index.js").tagLine} */
export function tagLine(line, scheme, lineNumber) {
  return native.tagLine(
    text(line, "line"),
    optional(text, scheme, "scheme"),
    optional(number, lineNumber, "lineNumber"),
  );
}

/** @type {typeof import("./index.js").tagLines} */
export function tagLines(content, scheme) {
  return native.tagLines(text(content, "text"), optional(text, scheme, "scheme"));
}

/** @type {typeof import("./index.js").verify} */
export function verify(lineNumber, content, tag, scheme) {
  return native.verify(
    number(lineNumber, "lineNumber"),
    text(content, "content"),
    text(tag, "tag"),
    optional(text, scheme, "scheme"),
  );
}

/** @type {typeof import("./index.js").parseAnchor} */
export function parseAnchor(anchor) {
  return native.parseAnchor(text(anchor, "text"));
}

/** @type {typeof import("./index.js").rollingHash} */
export function rollingHash(lines) {
  return native.rollingHash(texts(lines, "lines"));
}

/** @type {typeof import("./index.js").formatWithComments} */
export function formatWithComments(content, languageOrPath, scheme) {
  return native.formatWithComments(
    text(content, "text"),
    text(languageOrPath, "languageOrPath"),
    optional(text, scheme, "scheme"),
  );
}

/** @type {typeof import("./index.js").formatRange} */
export function formatRange(content, from, to, options) {
  return native.formatRange(
    text(content, "text"),
    whole(from, "from"),
    whole(to, "to"),
    optional(rangeOptions, options, "options"),
  );
}

/** @type {typeof import("./index.js").readSchema} */
export const readSchema = () => JSON.parse(native.readSchemaJson());
/** @type {typeof import("./index.js").applySchema} */
export const applySchema = () => JSON.parse(native.applySchemaJson());
/** @type {typeof import("./index.js").grepSchema} */
export const grepSchema = () => JSON.parse(native.grepSchemaJson());

/** @type {typeof import("./index.js").defaultSettings} */
export const defaultSettings = () => JSON.parse(native.defaultSettingsJson());

/** @type {(options: import("./index.js").FormatRangeOptions, name: string) => import("./index.js").FormatRangeOptions} */
function rangeOptions(options, name) {
  const { before, after, scheme, ...unknown } = object(options, name);
  for (const key of Object.keys(unknown)) {
    const error = new TypeError(`\`${name}\` has \`before\`, \`after\` and \`scheme\`, but no \`${key}\``);
    throw Object.assign(error, { code: "ERR_INVALID_ARG_VALUE" });
  }
  return {
    before: optional(count, before, `${name}.before`),
    after: optional(count, after, `${name}.after`),
    scheme: optional(text, scheme, `${name}.scheme`),
  };
}

/**
 * Checks that a value is a whole number; infinity means up to the last line.
 *
 * @type {(value: number, name: string) => number}
 */
function whole(value, name) {
  if (Number.isInteger(value) || value === Infinity || value === -Infinity) return value;
  throw unfit(value, name, "a whole number");
}

/** @type {(value: number, name: string) => number} */
function count(value, name) {
  if (whole(value, name) < 0) throw unfit(value, name, "a whole number from 0");
  return value;
}
