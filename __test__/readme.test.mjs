// What the README prints is what the package prints.

import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { parseAnchor, Session, tagLine, tagLines, verify } from "../index.js";
import { FILES } from "../scripts/demo/story.mjs";
import { root } from "../scripts/run.mjs";
import "./own-state.mjs";

const readme = readFileSync(join(root, "README.md"), "utf8");
const project = mkdtempSync(join(tmpdir(), "hashline-readme-"));
after(() => rmSync(project, { recursive: true, force: true }));

for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

/** Asserts that a block of the README is exactly this text. */
const printed = (text) => assert.ok(readme.includes(`\n\`\`\`\n${text.trimEnd()}\n\`\`\`\n`), text);

test("the results of reading, searching and changing files are those in the README", async () => {
  const session = new Session({ root: project });
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

test("shell commands are judged as the README says", () => {
  const session = new Session({ root: project });
  const { kind, access, instead } = session.judge("sed -n 5,9p src/cart.js");
  assert.deepEqual([kind, access], ["block", "read"]);
  assert.ok(readme.includes(`instead: '${instead}'`), instead);
  assert.equal(session.judge("npm test | tail -5").kind, "allow");
});

test("tags are those in the README", () => {
  const line = "let a = 1;";
  assert.ok(readme.includes(`tagLine("${line}");                  // ${JSON.stringify(tagLine(line))}`));
  assert.ok(readme.includes(`// ${JSON.stringify(tagLines(`${line}\nlet b = 2;\n`)).replace(",", ", ")}`));
  assert.equal(verify(1, line, tagLine(line)), true);
  assert.deepEqual(parseAnchor(">>> 5:ab|let x"), { line: 5, tag: "ab", hint: "let x" });
});
