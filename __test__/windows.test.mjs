// Behaviour on Windows only: drives, case, backslashes, shares, and directories that cannot be swapped.
//
// On other systems each of these tests is skipped, with the reason. `npm run test:platforms` runs them in Wine.

import assert from "node:assert/strict";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, parse } from "node:path";
import { test as run } from "node:test";

import { judgeCommand, Session } from "../index.js";

const skip = process.platform !== "win32" && "this is not Windows";
const test = (name, body) => run(name, { skip }, body);

async function inWorkdir(use) {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), "hashline-windows-")));
  try {
    await use(root, (name) => readFileSync(join(root, name), "utf8"));
  } finally {
    rmSync(root, { recursive: true, maxRetries: 10, force: true });
  }
}

const replace = (path, old_text, new_text) => ({ op: "replace", path, old_text, new_text });
const swapCase = (text) =>
  text.replaceAll(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));

/** Applies a patch, and fails with the report if it is refused. */
async function applied(session, ...patch) {
  const outcome = await session.apply({ patch });
  assert.equal(outcome.kind, "applied", outcome.text);
  return outcome;
}

test("drive letter, backslash, slash, another case and a verbatim path name the same file", () =>
  inWorkdir(async (root, text) => {
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src", "Cart.ts"), "0\n");
    const absolute = join(root, "src", "Cart.ts");
    const spellings = [
      "src\\Cart.ts",
      "src/Cart.ts",
      ".\\src\\..\\src\\Cart.ts",
      "SRC\\cart.TS",
      absolute,
      absolute.replaceAll("\\", "/"),
      swapCase(absolute),
      `\\\\?\\${absolute}`,
      `file:///${absolute.replaceAll("\\", "/")}`,
    ];
    const session = new Session({ root });
    for (const [at, path] of spellings.entries()) {
      await applied(session, replace(path, String(at), String(at + 1)));
      assert.equal(text("src/Cart.ts"), `${at + 1}\n`, path);
    }
  }));

test("a file that was read by one spelling of its path can be edited by another", () =>
  inWorkdir(async (root, text) => {
    writeFileSync(join(root, "a.txt"), "one\r\ntwo\r\n");
    const session = new Session({ root });
    const { text: shown } = await session.read({ path: "A.TXT" });
    const [, anchor] = /^(2:\w+)\|two/m.exec(shown);
    await applied(session, { op: "set_line", path: join(root, "a.txt"), anchor, text: "TWO" });
    assert.equal(text("a.txt"), "one\r\nTWO\r\n");
  }));

test("two operations that spell the path of a file differently make one change of it", () =>
  inWorkdir(async (root, text) => {
    writeFileSync(join(root, "a.txt"), "one\ntwo\n");
    const outcome = await applied(
      new Session({ root }),
      replace("a.txt", "one", "1"),
      replace("A.txt", "two", "2"),
    );
    assert.equal(text("a.txt"), "1\n2\n");
    assert.equal(outcome.files.length, 1);
  }));

test("a root in another case is the same workspace, with the same undo and the same lock", () =>
  inWorkdir(async (root, text) => {
    writeFileSync(join(root, "a.txt"), "0\n");
    const one = new Session({ root });
    const other = new Session({ root: swapCase(root) });
    const { receipt } = await applied(one, replace("a.txt", "0", "1"));
    const undone = await other.undo();
    assert.equal(undone.kind, "undone", undone.text);
    assert.equal(undone.receipt, receipt);
    // Without a common lock some of these edits would be lost.
    const sessions = [one, other];
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        applied(sessions[at % 2], { op: "add_file", path: `n${at}.txt`, content: `${at}\n` }),
      ),
    );
    for (let at = 0; at < 20; at++) assert.equal(text(`n${at}.txt`), `${at}\n`);
  }));

test("a path outside the root is refused, however it is spelled", () =>
  inWorkdir(async (root) => {
    mkdirSync(join(root, "work"));
    mkdirSync(join(root, "workshop"));
    writeFileSync(join(root, "workshop", "a.txt"), "a\n");
    const session = new Session({ root: join(root, "work") });
    const outside = join(root, "workshop", "a.txt");
    const drive = parse(root).root;
    for (const path of [
      "..\\workshop\\a.txt",
      outside,
      swapCase(outside),
      `\\\\?\\${outside}`,
      `${drive}hashline-outside.txt`,
      "~\\hashline-outside.txt",
      "\\hashline-outside.txt",
      "\\\\localhost\\share\\a.txt",
      "//localhost/share/a.txt",
    ]) {
      const outcome = await session.apply({ patch: [{ op: "add_file", path, content: "x" }] });
      assert.equal(outcome.kind, "refused", `${path}: ${outcome.text}`);
      assert.equal(outcome.refusals[0].code, "outside_root", `${path}: ${outcome.text}`);
    }
    assert.ok(!existsSync(join(homedir(), "hashline-outside.txt")));
  }));

test("no message shows a verbatim path", () =>
  inWorkdir(async (root) => {
    const session = new Session({ root });
    const outcomes = [
      await session.read({ path: join(root, "missing.txt") }),
      await session.apply({ patch: [replace(join(root, "missing.txt"), "a", "b")] }),
      await session.apply({ patch: [replace(join(dirname(root), "x.txt"), "a", "b")] }),
      await session.grep({ pattern: "(", path: root }),
      await session.undo(),
    ];
    for (const { text } of outcomes) assert.ok(!text.includes("\\\\?\\"), text);
    const { files } = await session.read({ path: root });
    assert.ok(!JSON.stringify(files).includes("\\\\\\\\?"), JSON.stringify(files));
  }));

test("a name that Windows reserves, and a directory, are refused", () =>
  inWorkdir(async (root) => {
    const session = new Session({ root });
    for (const path of ["con", "a\\NUL.txt", "a.txt:stream", "a.", "b\\"]) {
      const outcome = await session.apply({ patch: [{ op: "add_file", path, content: "x" }] });
      assert.equal(outcome.refusals?.[0]?.code, "bad_path", `${path}: ${outcome.text}`);
    }
  }));

test("a file can be renamed by case alone, and the rename undone", () =>
  inWorkdir(async (root) => {
    writeFileSync(join(root, "readme.md"), "a\n");
    const session = new Session({ root });
    await applied(session, { op: "move_file", from: "readme.md", to: "README.md" });
    assert.deepEqual(readdirSync(root), ["README.md"]);
    const undone = await session.undo();
    assert.equal(undone.kind, "undone", undone.text);
    assert.deepEqual(readdirSync(root), ["readme.md"]);
  }));

test("a file with two names keeps both, and the report warns", () =>
  inWorkdir(async (root, text) => {
    writeFileSync(join(root, "a.txt"), "one\n");
    linkSync(join(root, "a.txt"), join(root, "b.txt"));
    const { warnings } = await applied(new Session({ root }), replace("a.txt", "one", "two"));
    assert.equal(text("b.txt"), "two\n");
    assert.ok(
      warnings.some(({ code }) => code === "hard_link"),
      JSON.stringify(warnings),
    );
  }));

test("an edit leaves no handle open, so its directories can be removed", () =>
  inWorkdir(async (root) => {
    const inner = join(root, "inner");
    mkdirSync(inner);
    writeFileSync(join(inner, "a.txt"), "a\n");
    const session = new Session({ root });
    await applied(session, replace("inner\\a.txt", "a", "b"), {
      op: "add_file",
      path: "inner\\new\\c.txt",
      content: "c\n",
    });
    // Undo also removes the directory that was made for the new file.
    const undone = await session.undo();
    assert.equal(undone.kind, "undone", undone.text);
    assert.ok(!existsSync(join(inner, "new")));
    rmSync(inner, { recursive: true, maxRetries: 10 });
    assert.ok(!existsSync(inner));
  }));

test("the guard knows the workspace by drive, and exempts the directory for temporary files", () =>
  inWorkdir(async (root) => {
    const work = join(root, "work");
    mkdirSync(work);
    // A workspace in the directory for temporary files is a workspace, not exempt.
    const options = { root: work, cwd: work };
    const slashes = work.replaceAll("\\", "/");
    const bash = `/${slashes[0].toLowerCase()}${slashes.slice(2)}`;
    for (const command of [
      "cat a.txt",
      `cat ${slashes}/a.txt`,
      `cat ${bash}/a.txt`,
      `cat '${work}\\a.txt'`,
      `cat ${swapCase(slashes)}/a.txt`,
    ]) {
      const judged = judgeCommand(command, options);
      assert.equal(judged.kind, "block", command);
      assert.deepEqual(judged.targets, ["a.txt"], command);
      for (const allowed of ["a.txt", "A.TXT", `${work}\\a.txt`, `${slashes}/a.txt`, `${bash}/a.txt`]) {
        const settings = { allowedPaths: [allowed] };
        assert.equal(judgeCommand(command, { ...options, settings }).kind, "allow", `${command}: ${allowed}`);
      }
    }
    const session = new Session({ root: work });
    const scratch = tmpdir().replaceAll("\\", "/");
    for (const command of [
      `cat ${scratch}/x.txt`,
      'cat "$TMP/x.txt"',
      'cat "$TEMP\\x.txt"',
      "cat /tmp/x.txt",
    ]) {
      assert.equal(session.judge(command).kind, "allow", command);
    }
    assert.equal(session.judge(`cat ${basename(work)}.txt`).kind, "block");
  }));
