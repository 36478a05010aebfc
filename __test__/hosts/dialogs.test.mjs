// The dialogs of `/hashline` on the hosts' own screens: which questions a person is asked, and what each answer does.

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { workbench } from "./bench.mjs";
import { call } from "./model.mjs";
import { hasTmux, openScreen } from "./screen.mjs";

const FILES = { "a.txt": "one\ntwo\nthree\n", "b.txt": "x\n" };

const replace = (path, old_text, new_text) =>
  call("apply_hash", { patch: [{ op: "replace", path, old_text, new_text }] });

/** Plays on a host's screen after two turns: one changed a line of `a.txt`, one another line of it and `b.txt`. */
async function atScreen(host, play) {
  const bench = await workbench(host);
  let screen;
  try {
    await bench.reset(FILES);
    const first = [call("read", { path: "a.txt" }), replace("a.txt", "two", "2"), { text: "first done" }];
    const second = [replace("a.txt", "three", "3"), replace("b.txt", "x", "y"), { text: "second done" }];
    bench.model.play([...first, ...second]);
    screen = await openScreen(bench, { columns: 100, rows: 70, args: ["--session-dir", bench.sessions] });
    await screen.shows(/first done/);
    const enter = async (text, pattern) => {
      await screen.type(text);
      // The host may still be showing completions.
      await screen.shows(new RegExp(text.replaceAll("/", "\\/")));
      await screen.press("Enter");
      return screen.shows(pattern);
    };
    await enter("and on", /second done/);
    await play({ bench, screen, enter });
  } finally {
    await screen?.close();
    await bench.close();
  }
}

for (const host of ["pi", "omp"]) {
  describe(`dialogs in ${host}`, { skip: !hasTmux && "tmux is not there" }, () => {
    it("undo shows its diff and asks", () =>
      atScreen(host, async ({ bench, screen, enter }) => {
        await enter("/hashline undo", /This would change:.*-y.*\+x.*Undo it.*Leave everything as it is/s);
        assert.equal(await bench.text("b.txt"), "y\n");
        await screen.press("Enter");
        await screen.shows(/restored `b\.txt`/);
        assert.deepEqual(await bench.files(), { "a.txt": "one\n2\n3\n", "b.txt": "x\n" });
        await enter("/hashline undo turn", /This would change:.*-3.*\+three.*Undo it/s);
        await screen.press("Enter");
        await screen.shows(/restored `a\.txt`/);
        assert.deepEqual(await bench.files(), { "a.txt": "one\n2\nthree\n", "b.txt": "x\n" });
      }));

    it("a file that changed since is named, and its difference can be shown", () =>
      atScreen(host, async ({ bench, screen, enter }) => {
        await bench.write({ "b.txt": "mine\n" });
        await enter(
          "/hashline undo",
          /`b\.txt` has other content now.*Show what changed since.*Leave everything/s,
        );
        await screen.press("Enter");
        await screen.shows(/-x.*\+mine/s);
        assert.equal(await bench.text("b.txt"), "mine\n");
      }));

    it("a person can pick from the history, and from the settings", () =>
      atScreen(host, async ({ bench, screen, enter }) => {
        const rows = [/b\.txt \+1 -1/, /a\.txt \+1 -1/, /a\.txt \+2 -2 with newer patches/];
        const list = new RegExp(
          `Patches, the newest first.*${rows.map(({ source }) => source).join(".*")}`,
          "s",
        );
        await enter("/hashline history", list);
        await screen.press("Down", "Enter");
        await screen.shows(/a\.txt \+1 -1.*Undo it.*Show its diff/s);
        await screen.press("Enter");
        await screen.shows(/This would change:.*-3.*\+three/s);
        await screen.press("Enter");
        await screen.shows(/restored `a\.txt`/);
        assert.equal(await bench.text("a.txt"), "one\n2\nthree\n");
        await enter("/hashline config", /Settings.*relocation: "auto" \(default\)/s);
        await screen.press("Down", "Enter");
        await screen.shows(/relocation: "auto" \(default\).*"off"/s);
        await screen.press("Escape");
        await screen.shows(/nothing was changed/);
      }));

    it("receipts and settings are completed", () =>
      atScreen(host, async ({ screen }) => {
        await screen.type("/hashline undo ");
        await screen.shows(/undo turn.*undo --others(?:\s+undo \w+-\w+){3}/s);
        await screen.press("C-u");
        await screen.type("/hashline config dur");
        await screen.shows(/config durability/);
      }));

    it("on /tree the person is asked whether the files go back, too", () =>
      atScreen(host, async ({ bench, screen }) => {
        await goBack(screen, host);
        await screen.shows(
          /2 patches were made in the part of the conversation that is left.*Undo the files, too/s,
        );
        await agree(screen, host);
        assert.deepEqual(await bench.files(), { "a.txt": "one\n2\nthree\n", "b.txt": "x\n" });
      }));

    it("on a fork in pi or a rewind in omp the person is asked, too", () =>
      atScreen(host, async ({ bench, screen, enter }) => {
        if (host === "pi") {
          await enter("/fork", /Fork from Message.*› and on/s);
        } else {
          await enter("/branch", /8\/8 .* user turns/);
          await screen.press("Left");
          await screen.shows(/5\/8 .* user turns/);
        }
        await screen.press("Enter");
        await screen.shows(
          /2 patches were made in the part of the conversation that is left.*Undo the files, too/s,
        );
        await agree(screen, host);
        assert.deepEqual(await bench.files(), { "a.txt": "one\n2\nthree\n", "b.txt": "x\n" });
      }));

    it("files that cannot go back are named", () =>
      atScreen(host, async ({ bench, screen }) => {
        await bench.write({ "b.txt": "mine\n" });
        await goBack(screen, host);
        await screen.shows(/Undo the files, too/);
        await screen.press("Enter");
        await screen.shows(/nothing was changed: .*`b\.txt` has other content now.*Go on/s);
        assert.deepEqual(await bench.files(), { "a.txt": "one\n2\n3\n", "b.txt": "mine\n" });
      }));
  });
}

/** Agrees to undo the files, too. pi goes back only then; omp has already gone back, and shows what was undone. */
async function agree(screen, host) {
  await screen.press("Enter");
  await screen.shows(host === "pi" ? /first done(?!.*second done)/s : /Undid patch/);
}

/** Goes back in the host's tree to the entry before the second prompt. */
async function goBack(screen, host) {
  await screen.type("/tree");
  await screen.shows(/\/tree/);
  await screen.press("Enter");
  await screen.shows(/Session Tree.*user: and on/s);
  // The last rows are the prompt, two patches, and the answer, which is selected.
  await screen.press("Up", "Up", "Up");
  await screen.press("Enter");
  if (host === "pi") {
    await screen.shows(/Summarize branch\?/);
    await screen.press("Enter");
  }
}
