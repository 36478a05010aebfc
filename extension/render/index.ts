// What people see of the three tools. These files hold no rule about anchors: they draw rows from the core's texts and
// data, in any host and at any width. Of an incomplete or malformed call or result they draw as much as they can.

export { applyRows, applyRowsWith } from "./apply.ts";
export type { Component, Rows, Theme } from "./component.ts";
export { grepRows } from "./grep.ts";
export { readRows } from "./read.ts";
