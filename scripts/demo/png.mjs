// A still picture of an SVG, for pages that show no SVG. The fonts are included, because each machine has
// others.

import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { install } from "../lab/tools.mjs";

const VERSIONS = { "@resvg/resvg-wasm": "2.6.2", "dejavu-fonts-ttf": "2.37.3" };
const FONTS = ["DejaVuSansMono", "DejaVuSansMono-Bold", "DejaVuSansMono-Oblique", "DejaVuSans"];

/** The SVG as PNG, this many pixels wide, with the frame that is shown without animation. */
export async function png(svg, width) {
  const module = await install("@resvg/resvg-wasm", VERSIONS["@resvg/resvg-wasm"], "index.mjs");
  const { initWasm, Resvg } = await import(pathToFileURL(module).href);
  await initWasm(await readFile(join(dirname(module), "index_bg.wasm")));
  const fonts = await install("dejavu-fonts-ttf", VERSIONS["dejavu-fonts-ttf"], "ttf");
  const fontBuffers = await Promise.all(FONTS.map((name) => readFile(join(fonts, `${name}.ttf`))));
  const font = { fontBuffers, defaultFontFamily: "DejaVu Sans Mono", monospaceFamily: "DejaVu Sans Mono" };
  return new Resvg(svg, { font, fitTo: { mode: "width", value: width } }).render().asPng();
}
