// Draws screens of a terminal, which tmux printed with their colours, as SVG: in turn, or side by side.
//
// Without CSS animation, or for a reader who wants none, an animated SVG shows a single frame.

import stringWidth from "string-width";

const CELL = { width: 8.4, height: 18 };
const PADDING = 12;
const FONT = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const DARK = { back: "#16161e", text: "#d4d4d4" };
const LIGHT = { back: "#ffffff", text: "#24292f" };
/** The sixteen colours that a terminal numbers: dark, then bright. */
const BASIC = [
  "#15161e #f7768e #9ece6a #e0af68 #7aa2f7 #bb9af7 #7dcfff #c0caf5",
  "#565f89 #ff7a93 #b9f27c #ff9e64 #7da6ff #c7a9ff #a4daff #ffffff",
].flatMap((eight) => eight.split(" "));

/**
 * The picture of `frames`, each a text with escape codes and the seconds for which it is shown. `still` is
 * the index of the frame that is shown without animation.
 */
export function animate(frames, { columns, rows, still, title }) {
  const [width, height] = [columns * CELL.width + 2 * PADDING, rows * CELL.height + 2 * PADDING].map(
    Math.ceil,
  );
  const length = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let from = 0;
  const parts = frames.map(({ text, seconds }, at) => {
    const [begin, end] = [from, from + seconds].map((second) => percent(second / length));
    from += seconds;
    // A frame stays visible until the next one; the last frame stays until the animation starts again.
    const before = at === 0 ? "" : "0%{opacity:0}";
    const after = at === frames.length - 1 ? "" : `${end}{opacity:0}`;
    return {
      style: `@keyframes f${at}{${before}${begin}{opacity:1}${after}}#f${at}{animation:f${at} ${length}s step-end infinite}`,
      body: `<g id="f${at}"${at === still ? "" : ' opacity="0"'}>${screen(text)}</g>`,
    };
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>@media (prefers-reduced-motion:no-preference){${parts.map(({ style }) => style).join("\n")}}</style>
<rect width="100%" height="100%" rx="8" fill="${DARK.back}"/>
<g font-family="${FONT}" font-size="14" fill="${DARK.text}">
${parts.map(({ body }) => body).join("\n")}
</g>
</svg>
`;
}

/** Makes a tall picture of `animate` a wide one: the rows from `at` on are to the right of those above. */
export function folded(picture, { columns, rows, at }) {
  const width = Math.ceil(columns * CELL.width + 2 * PADDING);
  const top = PADDING + at * CELL.height;
  const height = Math.max(top, (rows - at) * CELL.height + 2 * PADDING);
  const half = (x, y) =>
    picture.replace(
      /^<svg [^>]*>/,
      `<svg x="${x}" width="${width}" height="${height}" viewBox="0 ${y} ${width} ${height}">`,
    );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width} ${height}" width="${2 * width}" height="${height}">
<rect width="100%" height="100%" fill="${DARK.back}"/>
${half(0, 0)}
${half(width, top - PADDING)}
</svg>
`;
}

/** One picture of several screens of `columns` columns side by side, each under its title. */
export function sideBySide(panes, { columns, title, light = false }) {
  const { back, text: ink } = light ? LIGHT : DARK;
  const rows = Math.max(...panes.map(({ text }) => text.split("\n").length)) + 2;
  const step = columns * CELL.width + 2 * PADDING;
  const [width, height] = [panes.length * step, rows * CELL.height + 2 * PADDING].map(Math.ceil);
  const drawings = panes.map(({ title: name, text }, at) => {
    const heading = `<text x="${PADDING}" y="${PADDING + 13}" font-weight="bold">${escaped(name)}</text>`;
    const body = `<g transform="translate(0 ${2 * CELL.height})">${screen(text)}</g>`;
    return `<g transform="translate(${(at * step).toFixed(1)} 0)">${heading}${body}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="8" fill="${back}"/>
<g font-family="${FONT}" font-size="14" fill="${ink}">
${drawings.join("\n")}
</g>
</svg>
`;
}

const percent = (share) => `${(100 * share).toFixed(2)}%`;

function screen(text) {
  return text.split("\n").reduce(
    ({ drawing, style }, line, row) => {
      const { found, after } = runs(line, style);
      return { drawing: drawing + found.map((run) => drawn(run, row)).join(""), style: after };
    },
    { drawing: "", style: {} },
  ).drawing;
}

function drawn({ text, column, cells, style }, row) {
  const [x, y] = [PADDING + column * CELL.width, PADDING + row * CELL.height];
  const wide = (cells * CELL.width).toFixed(1);
  const { fill, back } = style.reverse
    ? { fill: style.back ?? DARK.back, back: style.fill ?? DARK.text }
    : style;
  const box = back
    ? `<rect x="${x.toFixed(1)}" y="${y}" width="${wide}" height="${CELL.height}" fill="${back}"/>`
    : "";
  if (text.trim() === "") return box;
  const looks = [
    fill && ` fill="${fill}"`,
    style.bold && ' font-weight="bold"',
    style.italic && ' font-style="italic"',
    style.underline && ' text-decoration="underline"',
    style.dim && ' opacity="0.6"',
  ];
  // With `textLength`, every font keeps to the columns of the terminal.
  const place = `x="${x.toFixed(1)}" y="${y + 13}" textLength="${wide}"`;
  return `${box}<text ${place}${looks.filter(Boolean).join("")} xml:space="preserve">${escaped(text)}</text>`;
}

/** The pieces of a line with one style each, with their columns, and the style with which the next line begins. */
function runs(line, before) {
  const found = [];
  let style = before;
  let column = 0;
  for (const [, codes, text] of line.matchAll(/\x1b\[([\d;:]*)m|([^\x1b]+)|\x1b./g)) {
    if (text === undefined) {
      style = restyled(style, codes ?? "");
      continue;
    }
    const cells = stringWidth(text);
    found.push({ text, column, cells, style });
    column += cells;
  }
  return { found, after: style };
}

function restyled(before, codes) {
  const numbers = codes.split(/[;:]/).map(Number);
  let style = { ...before };
  while (numbers.length > 0) {
    const code = numbers.shift();
    if (code === 0) style = {};
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 7) style.reverse = true;
    else if (code === 22) style = { ...style, bold: false, dim: false };
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code === 27) style.reverse = false;
    else if (code === 38) style.fill = colour(numbers);
    else if (code === 48) style.back = colour(numbers);
    else if (code === 39) style.fill = undefined;
    else if (code === 49) style.back = undefined;
    else if (code >= 30 && code <= 37) style.fill = BASIC[code - 30];
    else if (code >= 90 && code <= 97) style.fill = BASIC[code - 82];
    else if (code >= 40 && code <= 47) style.back = BASIC[code - 40];
    else if (code >= 100 && code <= 107) style.back = BASIC[code - 92];
  }
  return style;
}

/** Removes a colour from the front of the numbers: `2;r;g;b`, or `5;n` of the table of 256. */
function colour(numbers) {
  if (numbers.shift() === 2) return hex(numbers.splice(0, 3));
  const n = numbers.shift();
  if (n < 16) return BASIC[n];
  if (n >= 232) return hex([8 + 10 * (n - 232)].flatMap((grey) => [grey, grey, grey]));
  const level = (value) => (value === 0 ? 0 : 55 + 40 * value);
  return hex([Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(level));
}

const hex = (parts) => `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
