// What people see: whole conversations on the hosts' own screens, narrow and wide, as text.
//
// The pictures are in screens/. After an intended change of the screens, HASHLINE_SCREENS=write makes them anew; read
// them before you commit them.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import stringWidth from "string-width";
import { HOSTS } from "../../scripts/lab/hosts.mjs";
import { workbench } from "./bench.mjs";
import { anchor, call } from "./model.mjs";
import { apply, bash, read } from "./scenarios/words.mjs";
import { hasTmux, openScreen } from "./screen.mjs";

const SKIP = hasTmux ? false : "tmux is not there: install it to test the screens";

/** Lines that are hard to draw: longer than a screen, with wide characters and tabs. */
const LONG = Array.from(
  { length: 24 },
  (_, i) => `const value${i} = compute(${i});\t// 世界: words that go on over the edge of a narrow screen\n`,
).join("");
const FILES = { "src/long.js": LONG, "list.txt": "one\ntwo\nthree\n" };

/** The conversation: every kind of row that the extension draws, and one of the host's. */
function conversation() {
  let shown;
  return [
    read("src/long.js", "list.txt"),
    (seen) => {
      shown = seen.last;
      return call("grep", { pattern: "value1", contextAfter: 1 });
    },
    () => {
      const [from, to] = [/^const value2 /, /^const value14 /].map((line) => anchor(shown, line));
      const text = LONG.split("\n").slice(2, 15).join("\n").replaceAll("compute", "evaluate");
      return apply(
        { op: "replace_range", path: "src/long.js", start_anchor: from, end_anchor: to, text },
        { op: "set_line", path: "list.txt", anchor: anchor(shown, "two"), text: "TWO" },
      );
    },
    apply({ op: "set_line", path: "list.txt", anchor: "3:00", text: "x" }),
    bash("cat list.txt"),
    { text: "All done." },
  ];
}

/** The host whose pictures are compared: both versions of omp draw alike. */
const drawnAs = (host) => (host === "omp182" ? "omp" : host);

for (const host of HOSTS) {
  for (const columns of [60, 120]) {
    describe(`${host} at ${columns} columns`, { skip: SKIP }, () => {
      let bench;
      let screen;
      before(async () => {
        bench = await workbench(host);
        await bench.reset(FILES);
        bench.model.play(conversation());
        screen = await openScreen(bench, { columns, rows: 250 });
        await screen.shows(/All done\./);
      });
      after(async () => {
        await screen?.close();
        await bench?.close();
      });

      it("shows collapsed rows, a diff, a refusal and a blocked command", () =>
        looksLike(screen, `${drawnAs(host)}-${columns}`));

      it("shows all of it after ctrl+o", async () => {
        await screen.press("C-o");
        // The last line of the read, which only expanded rows show.
        await screen.shows(/24:7c\|const value23/);
        await looksLike(screen, `${drawnAs(host)}-${columns}-expanded`);
      });

      it("has no line that is wider than the screen", async () => {
        for (const line of (await screen.text("-J")).split("\n")) {
          assert.ok(stringWidth(line) <= columns, `${stringWidth(line)} columns: ${line}`);
        }
      });
    });
  }

  describe(`${host}: while it works`, { skip: SKIP }, () => {
    it("previews a call that is still streaming in, and the footer says that the guard only nudges", async () => {
      const bench = await workbench(host, { hashline: { guard: "nudge" } });
      await bench.reset(FILES);
      const patch = [{ op: "add_file", path: "new.txt", content: "a line of the new file\n" }];
      bench.model.play([{ ...call("apply_hash", JSON.stringify({ patch }).slice(0, -8)), hang: true }]);
      const screen = await openScreen(bench, { columns: 100, rows: 40 });
      try {
        // A spinner keeps moving on the screen here.
        await screen.shows(/new\.txt/, { atRest: false });
        await screen.shows(/hashline guard: nudge/, { atRest: false });
      } finally {
        await screen.close();
        await bench.close();
      }
    });
  });
}

/** Waits until the conversation on a screen matches the picture of that name. */
async function looksLike(screen, name) {
  const place = new URL(`screens/${name}.txt`, import.meta.url);
  const conversation = (text) => `${conversationOn(text)}\n`;
  if (process.env.HASHLINE_SCREENS === "write") {
    await mkdir(new URL("screens/", import.meta.url), { recursive: true });
    await writeFile(place, conversation(await screen.text()));
  }
  const picture = await readFile(place, "utf8");
  assert.equal(conversation(await screen.settles((text) => conversation(text) === picture)), picture);
}

/**
 * The screen from the prompt to the end of the answer. The host's lines around it depend on the machine and
 * the time.
 */
function conversationOn(text) {
  const from = text.search(/^ *go$/m);
  const to = text.indexOf("All done.");
  // The conversation is not drawn yet.
  if (from < 0 || to < 0) return text;
  return text
    .slice(from, to + "All done.".length)
    .replaceAll(/Took \d+\.\ds/g, "Took 0.0s")
    .replaceAll(/Wall: \d+\.\d\ds/g, "Wall: 0.00s");
}
