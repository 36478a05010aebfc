// The turns of the scripted model in the demo, and the sample project that it works on.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { anchor } from "../../__test__/hosts/model.mjs";

export const PROMPT = "Count items by their number, and round the total.";

export const FILES = {
  "src/cart.js": `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`,
  "src/shop.js": `import { total } from "./cart.js";

export function receipt(items) {
  return \`Total: \${total(items)}\`;
}
`,
};

const SUM = "    sum += item.price * item.count;";

/**
 * The turns of the model in a project. In each turn the model announces what it will do; `rewrite` changes
 * the file as another program would. `pace` slows the model down so that a person can follow; `closing` is
 * added to its last sentence.
 */
export function story(project, { pace = 0, closing = "" } = {}) {
  const cart = join(project, "src", "cart.js");
  let shown;
  const turn = (text, name, args) => ({ text, calls: [{ name, arguments: args }], pace });
  const set = (at, text) => ({ patch: [{ op: "set_line", path: "src/cart.js", anchor: at, text }] });
  const rewrite = async (change) => writeFile(cart, change(await readFile(cart, "utf8")));
  const rounded = "  return Number(sum.toFixed(2));";

  return [
    turn("I read the file. Every line comes with its anchor, LINE:HASH.", "read", { path: "src/cart.js" }),
    (seen) => {
      shown = seen.last;
      return turn("For the other file I try a short cut in the shell.", "bash", {
        command: "cat src/shop.js",
      });
    },
    () =>
      turn("Answered with tagged lines. Now one patch for both files, all or nothing.", "apply_hash", {
        patch: [
          { op: "set_line", path: "src/cart.js", anchor: anchor(shown, /sum \+= item\.price;/), text: SUM },
          { op: "replace", path: "src/shop.js", old_text: "Total", new_text: "To pay" },
        ],
      }),
    async () => {
      await rewrite((text) => `// @ts-check\n\n${text}`);
      const at = anchor(shown, /return sum;/);
      const text = `(Meanwhile somebody puts two lines on top of src/cart.js.) I still hold ${at}.`;
      return turn(text, "apply_hash", set(at, "  return Math.round(sum);"));
    },
    async (seen) => {
      await rewrite((text) => text.replace("Math.round(sum)", "Math.floor(sum)"));
      const at = anchor(seen.last, /return Math\.round/);
      const text = "My line was found where it had moved to. (Meanwhile somebody rewrites it.) Once more:";
      return turn(text, "apply_hash", set(at, rounded));
    },
    (seen) => {
      const at = anchor(seen.last, /return Math\.floor/);
      return turn(
        `Refused, with the lines as they are now. ${at} is what I need.`,
        "apply_hash",
        set(at, rounded),
      );
    },
    { text: `Done. \`/hashline undo\` takes the last patch back${closing}.`, pace },
  ];
}
