// pi-hashline: line anchors for coding agents. index.d.ts, which the build generates, documents
// every export.

import { native } from "./native.js";

export const {
  judgeCommand,
  Session,
  formatRange,
  formatWithComments,
  parseAnchor,
  rollingHash,
  tagLine,
  tagLines,
  verify,
  version,
} = native;

export const readSchema = () => JSON.parse(native.readSchemaJson());
export const applySchema = () => JSON.parse(native.applySchemaJson());
export const grepSchema = () => JSON.parse(native.grepSchemaJson());
