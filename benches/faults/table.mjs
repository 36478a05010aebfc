// Markdown tables, so that a run can be pasted into docs/benchmarks.md.

export function percent(share) {
  return Number.isNaN(share) ? "-" : `${(share * 100).toFixed(share < 0.01 ? 3 : 1)} %`;
}

export function table(header, rows) {
  const cells = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [
    line(cells[0]),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...cells.slice(1).map(line),
  ].join("\n");
}
