// npm run picture: makes docs/demo.svg, the picture that the README begins with, and docs/demo.png, a still of it.
//
// Every frame is pi's own screen at a moment of the demo, captured with tmux. The still is for pi's gallery.
//
//   npm run picture             both
//   npm run picture -- --still  only the still, from the present SVG

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hasTmux, openScreen } from "../../__test__/hosts/screen.mjs";
import { name } from "../release/name.mjs";
import { root, script, step } from "../run.mjs";
import { png } from "./png.mjs";
import { stage } from "./show.mjs";
import { PROMPT, story } from "./story.mjs";
import { animate, folded } from "./svg.mjs";

/** High enough that the first tagged line is still on the screen after the first patch. */
const SIZE = { columns: 92, rows: 66 };
/** How long a frame is shown. */
const SECONDS = 3;
/** The frame that is used as the still: it shows a file with its anchors and the patch that names them. */
const STILL = 3;
/**
 * The row at which the still is folded into two columns, to fit the shape of the gallery's card: just before
 * the patch.
 */
const FOLD = 38;
/** How many pixels wide the still is. */
const WIDTH = 1600;

/** The turns, each after a call of `look`. */
function lookBefore(turns, look) {
  return turns.map((turn) => async (seen) => {
    await look();
    return typeof turn === "function" ? turn(seen) : turn;
  });
}

const rest = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const SVG = join(root, "docs", "demo.svg");

/** Plays the demo and writes the picture. */
async function play() {
  if (!hasTmux) throw new Error("tmux is not installed: it captures the picture");
  const bench = await stage();
  const frames = [];
  let screen;
  const take = async () => {
    await rest(600);
    frames.push({ text: await screen.painted(), seconds: SECONDS });
  };
  const look = async () => {
    // The key that shows every line of the tools' answers.
    if (frames.length === 0) await screen.press("C-o");
    await take();
  };
  try {
    step("playing the demo");
    bench.model.play(lookBefore(story(bench.work), look));
    screen = await openScreen(bench, { ...SIZE, prompt: PROMPT });
    await screen.shows(/takes the last patch back/);
    await take();
    await screen.type("/hashline undo");
    await take();
    await screen.press("Enter");
    await screen.shows(/Undid the last patch/);
    await take();
  } finally {
    await screen?.close();
    await bench.close();
  }
  const title = `pi with ${name}: tagged lines are read, patched, followed when they move, and refused when stale`;
  const picture = animate(frames, { ...SIZE, still: STILL, title });
  await writeFile(SVG, picture);
  step(`docs/demo.svg: ${frames.length} frames, ${Math.round(picture.length / 1024)} KB`);
}

/** Writes the still of the picture. */
async function still() {
  const picture = await png(folded(await readFile(SVG, "utf8"), { ...SIZE, at: FOLD }), WIDTH);
  await writeFile(join(root, "docs", "demo.png"), picture);
  step(`docs/demo.png: ${Math.round(picture.length / 1024)} KB`);
}

await script(async () => {
  if (!process.argv.includes("--still")) await play();
  await still();
});
