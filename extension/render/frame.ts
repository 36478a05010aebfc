// Lays out our rows for each host: under a title, and in omp inside a frame like omp's own edits.

import { type Box, type Component, drawnOnce, type Theme } from "./component.ts";
import { type Color, type Line, layOut, type Overflow } from "./line.ts";
import { textWidth } from "./width.ts";

/** The fewest columns in which a frame is drawn. */
const MIN_FRAME_WIDTH = 24;

/** Lines under a title; in omp the title is on the frame around them. */
export function frame(
  theme: Theme,
  overflow: Overflow,
  border: Color,
  build: () => { title: Line; lines: Line[] },
): Component {
  return drawnOnce(draw);

  function draw(width: number): string[] {
    const { title, lines } = build();
    const rows = (room: number) => lines.flatMap((one) => layOut(one, room, one.overflow ?? overflow, theme));
    const { box } = theme;
    if (box === undefined || width < MIN_FRAME_WIDTH)
      return [...layOut(title, width, "cut", theme), ...spaced(rows(width))];
    return boxed(box, title, rows(width - 4), width);
  }

  function boxed(box: Box, title: Line, rows: string[], width: number): string[] {
    const paintBorder = (text: string) => theme.fg(border, text);
    const [name = ""] = layOut(title, width - 8, "cut", theme);
    const bar = box.horizontal;
    const rest = Math.max(0, width - 7 - textWidth(unpainted(name)));
    const side = paintBorder(box.vertical);
    return [
      `${paintBorder(`${box.topLeft}${bar.repeat(3)}`)} ${name} ${paintBorder(`${bar.repeat(rest)}${box.topRight}`)}`,
      ...rows.map((row) => {
        const fill = " ".repeat(Math.max(0, width - 4 - textWidth(unpainted(row))));
        return `${side} ${row}${fill} ${side}`;
      }),
      paintBorder(`${box.bottomLeft}${bar.repeat(width - 2)}${box.bottomRight}`),
    ];
  }
}

/** Rows below a title, after an empty row as in pi. */
function spaced(rows: string[]): string[] {
  return rows.length === 0 ? [] : ["", ...rows];
}

/** A text without its colours. */
function unpainted(text: string): string {
  return text.replaceAll(/\x1b\[[\d;]*m/g, "");
}
