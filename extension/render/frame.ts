// Lays out our rows for each host: under a title, and in omp inside a frame like omp's own edits.

import { type Box, type Component, drawnOnce, type Theme } from "./component.ts";
import { type Color, type Line, lay, type Overflow } from "./line.ts";
import { textWidth } from "./width.ts";

/** The fewest columns in which a frame is drawn. */
const MIN_FRAME_WIDTH = 24;

/** Lines under a title; in omp the title is on the frame around them. */
export function framed(
  theme: Theme,
  overflow: Overflow,
  border: Color,
  build: () => { title: Line; lines: Line[] },
): Component {
  return drawnOnce(draw);

  function draw(width: number): string[] {
    const { title, lines } = build();
    const rows = (room: number) => lines.flatMap((one) => lay(one, room, one.overflow ?? overflow, theme));
    const { box } = theme;
    if (box === undefined || width < MIN_FRAME_WIDTH)
      return [...lay(title, width, "cut", theme), ...spaced(rows(width))];
    return boxed(box, title, rows(width - 4), width);
  }

  function boxed(box: Box, title: Line, rows: string[], width: number): string[] {
    const edge = (text: string) => theme.fg(border, text);
    const [name = ""] = lay(title, width - 8, "cut", theme);
    const bar = box.horizontal;
    const rest = Math.max(0, width - 7 - textWidth(unpainted(name)));
    const side = edge(box.vertical);
    return [
      `${edge(`${box.topLeft}${bar.repeat(3)}`)} ${name} ${edge(`${bar.repeat(rest)}${box.topRight}`)}`,
      ...rows.map((row) => {
        const fill = " ".repeat(Math.max(0, width - 4 - textWidth(unpainted(row))));
        return `${side} ${row}${fill} ${side}`;
      }),
      edge(`${box.bottomLeft}${bar.repeat(width - 2)}${box.bottomRight}`),
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
