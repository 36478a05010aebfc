// The examples in the README and the documents are exactly what the package prints.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { parseAnchor, Session, tagLine, tagLines, verify } from "../index.js";
import { FILES } from "../scripts/demo/story.mjs";
import { root } from "../scripts/run.mjs";
import "./own-state.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const [readme, library, tools] = ["README.md", "docs/library.md", "docs/tools.md"].map(read);
const project = mkdtempSync(join(tmpdir(), "hashline-readme-"));
after(() => rmSync(project, { recursive: true, maxRetries: 10, force: true }));

for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** Asserts that a block of a document is exactly this text. */
const printedIn = (document, text) =>
  assert.ok(document.includes(`\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`), text);

/** Sets the line at `anchor`, and returns the text of the answer. */
async function setTimeoutLine(session, path, anchor, text) {
  return (await session.apply({ patch: [{ op: "set_line", path, anchor, text }] })).text;
}

const config = (timeout) => `host = "db1"\ntimeout = ${timeout}\nretries = 3\n`;

test("the refusal of a stale edit is the one in the README", async () => {
  const path = join(project, "config.py");
  writeFileSync(path, config(30));
  const session = new Session({ root: project });
  await session.read({ path: "config.py" });
  writeFileSync(path, config(300));
  assert.ok(readme.includes('"anchor": "2:d7", "text": "timeout = 60"'));
  printedIn(readme, await setTimeoutLine(session, "config.py", "2:d7", "timeout = 60"));
  assert.equal(readFileSync(path, "utf8"), config(300));
});

test("the answers in a model's session are those in docs/tools.md", async () => {
  const path = join(project, "src/config.py");
  writeFileSync(path, config(30));
  const session = new Session({ root: project, report: "short" });
  printedIn(tools, (await session.read({ path: "src/config.py" })).text);
  printedIn(tools, await setTimeoutLine(session, "src/config.py", "2:d7", "timeout = 60"));
  writeFileSync(path, config(300));
  printedIn(tools, await setTimeoutLine(session, "src/config.py", "2:f1", "timeout = 90"));
});

test("the results of reading, searching and changing files are those in docs/library.md", async () => {
  const session = new Session({ root: project });
  const printed = (text) => printedIn(library, text);
  printed((await session.read({ paths: ["src/cart.js"] })).text);
  printed((await session.grep({ pattern: "total", glob: "*.js", contextAfter: 1 })).text);
  const patch = [
    { op: "set_line", path: "src/cart.js", anchor: "4:3a", text: "    sum += item.price * item.count;" },
    { op: "replace", path: "src/shop.js", old_text: "Total", new_text: "To pay" },
  ];
  printed((await session.apply({ patch })).text);
  const cart = join(project, "src/cart.js");
  writeFileSync(cart, `// @ts-check\n\n${readFileSync(cart, "utf8")}`);
  const later = [{ op: "set_line", path: "src/cart.js", anchor: "6:55", text: "  return Math.round(sum);" }];
  printed((await session.apply({ patch: later })).text);
});

test("shell commands are judged as docs/library.md says", () => {
  const session = new Session({ root: project });
  const { kind, access, instead } = session.judge("sed -n 5,9p src/cart.js");
  assert.deepEqual([kind, access], ["block", "read"]);
  assert.ok(library.includes(`instead: '${instead}'`), instead);
  assert.equal(session.judge("npm test | tail -5").kind, "allow");
});

test("tags are those in docs/library.md", () => {
  const line = "let a = 1;";
  assert.ok(library.includes(`tagLine("${line}");                  // ${JSON.stringify(tagLine(line))}`));
  assert.ok(library.includes(`// ${JSON.stringify(tagLines(`${line}\nlet b = 2;\n`)).replace(",", ", ")}`));
  assert.equal(verify(1, line, tagLine(line)), true);
  assert.deepEqual(parseAnchor(">>> 5:ab|let x"), { line: 5, tag: "ab", hint: "let x" });
});
