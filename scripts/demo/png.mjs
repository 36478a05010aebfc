// Turns an SVG into a PNG, for pages that do not show SVG. Always uses the same fonts, because machines differ in
// theirs.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../lab/tools.mjs";

const VERSIONS = { "@resvg/resvg-wasm": "2.6.2", "dejavu-fonts-ttf": "2.37.3" };
const FONTS = ["DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSansMono-Oblique", "DejaVuSans"];

/** The SVG as PNG, `width` pixels wide. An animation becomes the frame that it shows when nothing moves. */
export async function png(svg, width) {
  const module = await install("@resvg/resvg-wasm", VERSIONS["@resvg/resvg-wasm"], "index.mjs");
  const { initWasm, Resvg } = await import(pathToFileURL(module).href);
  await initWasm(await readFile(join(dirname(module), "index_bg.wasm")));
  const fonts = await install("dejavu-fonts-ttf", VERSIONS["dejavu-fonts-ttf"], "ttf");
  const fontBuffers = await Promise.all(FONTS.map((name) => readFile(join(fonts, `${name}.ttf`))));
  const font = { fontBuffers, defaultFontFamily: "DejaVu Sans Mono", monospaceFamily: "DejaVu Sans Mono" };
  return new Resvg(svg, { font, fitTo: { mode: "width", value: width } }).render().asPng();
}
