// npm run screens: makes docs/screens/*.svg: the host's screen with our tools and with its own, side by side.
//
// Both do the same small job (scripts/demo/job.mjs) in the real host; tmux captures the screen. With `--png DIR`
// rsvg-convert also turns the pictures into PNG, for machines without a browser.

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PACKAGE, workbench } from "../../__test__/hosts/bench.mjs";
import { hasTmux, openScreen } from "../../__test__/hosts/screen.mjs";
import { name } from "../release/name.mjs";
import { must, root, script, step } from "../run.mjs";
import { FILES, job } from "./job.mjs";
import { sideBySide } from "./svg.mjs";

const WIDTHS = [60, 100, 200];
const THEMES = { dark: "", light: "-light" };
const NAMES = { pi: "pi", omp: "omp" };

/** The host's setting for a theme; omp has one for each background of a terminal. */
const themeOf = (host, theme) => (host === "omp" ? { dark: theme, light: theme } : theme);

await script(async () => {
  const { values } = parseArgs({
    options: { png: { type: "string" }, host: { type: "string", multiple: true } },
  });
  if (!hasTmux) throw new Error("tmux is not installed: it captures the pictures");
  const place = join(root, "docs", "screens");
  await mkdir(place, { recursive: true });
  for (const host of values.host ?? Object.keys(NAMES)) {
    for (const columns of WIDTHS) {
      for (const theme of Object.keys(THEMES)) {
        const file = await picture(host, columns, theme, place);
        if (values.png) {
          const png = join(values.png, `${file}.png`);
          await must("rsvg-convert", ["-o", png, join(place, file)]);
        }
      }
    }
  }
});

/** Makes one picture in the directory `place`, and returns its name. */
async function picture(host, columns, theme, place) {
  const panes = [];
  for (const ours of [true, false]) {
    const title = ours ? name : `${NAMES[host]}'s own edit`;
    panes.push({ title, text: await capture(host, columns, theme, ours) });
  }
  const file = `${host}-${columns}${THEMES[theme]}.svg`;
  const title = `the same job in ${NAMES[host]} at ${columns} columns, ${theme}: ${name} and the host's own tools`;
  await writeFile(join(place, file), sideBySide(panes, { columns, title, light: theme === "light" }));
  step(`docs/screens/${file}`);
  return file;
}

/** Plays the job and returns the conversation as the host draws it, all rows expanded, with its colours. */
async function capture(host, columns, theme, ours) {
  const bench = await workbench(host, {
    extensions: ours ? [PACKAGE] : [],
    settings: { theme: themeOf(host, theme) },
  });
  let screen;
  try {
    await bench.reset(FILES);
    const script = bench.model.play(job(bench, { ours }));
    screen = await openScreen(bench, { columns, rows: 110 });
    await screen.shows(/All done\./);
    script.assertPlayed();
    await screen.press("C-o");
    await screen.shows(/All done\./);
    return conversation(await screen.painted());
  } finally {
    await screen?.close();
    await bench.close();
  }
}

/** The part of the screen from the prompt to the end of the answer. */
function conversation(painted) {
  const lines = painted.split("\n");
  const bare = lines.map((line) => line.replaceAll(/\x1b\[[\d;:]*m/g, "").trim());
  return lines.slice(bare.indexOf("go"), bare.lastIndexOf("All done.") + 1).join("\n");
}
