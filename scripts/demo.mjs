// npm run demo: what anchors are for, in one minute and without an API key.
//
// A model's calls are played by this script, the rest is real: two files are read with their tags,
// `cat` is answered by tagged lines, both files are patched in one call, a change behind the model's
// back is followed, and a stale anchor is refused together with the lines that mend the call.

import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildAddon, installPackages } from "./build.mjs";
import { script } from "./run.mjs";

const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`;

const SHOP = `import { total } from "./cart.js";

export function receipt(items) {
  return \`Total: \${total(items)}\`;
}
`;

const say = (text) => process.stdout.write(`\n\x1b[1m${text}\x1b[0m\n`);
const show = (text) => process.stdout.write(`${text.replace(/^/gm, "  ")}\n`);

async function tell(Session, root) {
  const session = new Session({ root });
  const cart = join(root, "src", "cart.js");

  say("1. The model reads two files. Every line carries an anchor, LINE:HASH");
  const { text } = await session.read({ paths: ["src/cart.js", "src/shop.js"] });
  show(text);
  const anchor = (content) =>
    text
      .split("\n")
      .find((line) => line.endsWith(content))
      .split("|")[0];
  const [price, back] = [anchor("sum += item.price;"), anchor("return sum;")];

  say("2. It tries `head -n 3 src/shop.js` in the shell. The guard knows what was wanted");
  const verdict = session.judge("head -n 3 src/shop.js");
  show(verdict.reason);
  show((await session.read(verdict.serve.request)).text);

  say("3. It patches both files in one call, all or nothing");
  const patch = [
    { op: "set_line", path: "src/cart.js", anchor: price, text: "    sum += item.price * item.count;" },
    { op: "replace", path: "src/shop.js", old_text: "Total", new_text: "To pay" },
  ];
  show((await session.apply({ patch })).text);

  say("4. Somebody puts two lines on top of the file. The next anchor is followed, and the report says so");
  await writeFile(cart, `// @ts-check\n\n${await readFile(cart, "utf8")}`);
  const round = { op: "set_line", path: "src/cart.js", anchor: back, text: "  return Math.round(sum);" };
  show((await session.apply({ patch: [round] })).text);

  say("5. The line it saw first has changed: nothing is written, and the answer is the next read");
  const stale = { op: "set_line", path: "src/cart.js", anchor: price, text: "    sum += 1;" };
  const refused = await session.apply({ patch: [stale] });
  if (refused.kind !== "refused") throw new Error("a stale anchor was accepted");
  show(refused.text);
}

await script(async () => {
  await installPackages();
  await buildAddon();
  const { Session } = await import("../index.js");
  const root = await mkdtemp(join(tmpdir(), "hashline-demo-"));
  try {
    await mkdir(join(root, "src"));
    await writeFile(join(root, "src", "cart.js"), CART);
    await writeFile(join(root, "src", "shop.js"), SHOP);
    await tell(Session, root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
