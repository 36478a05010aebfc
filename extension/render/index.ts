// A placeholder until the rows land: plain text, cut to the width.
import type { Component, Rows } from "./component.ts";

const plain = (text: string): Component => ({
  render: (width) =>
    text
      .split("\n")
      .slice(0, 10)
      .map((line) => line.replace(/[^\x20-\x7e]/g, "?").slice(0, width)),
  invalidate() {},
});
const rows = (name: string): Rows => ({
  renderCall: () => plain(name),
  renderResult: (result) =>
    plain((result as { content: { text?: string }[] }).content.map((c) => c.text ?? "").join("\n")),
});
export const readRows = rows("read");
export const grepRows = rows("grep");
export const applyRows = rows("apply_hash");
