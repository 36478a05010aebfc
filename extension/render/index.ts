// What people see of the three tools. No rule about anchors is held here: rows are drawn from the texts and
// facts that the core gives, in any host and at any width, and a call or result that is incomplete or
// malformed is drawn as far as it goes.

export { applyRows, applyRowsWith } from "./apply.ts";
export type { Component, Rows, Theme } from "./component.ts";
export { grepRows } from "./grep.ts";
export { readRows } from "./read.ts";
