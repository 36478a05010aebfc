// npm run picture:program: makes docs/screens/program.svg, the program's output on a terminal, with its colours.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, script, step } from "../run.mjs";
import { sideBySide } from "./svg.mjs";

const CART = `export function total(items) {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
  }
  return sum;
}
`;

const PATCH = JSON.stringify({
  path: "cart.js",
  edits: [{ set_line: { anchor: "4:3a", new_text: "    sum += item.price * item.count;" } }],
});

/** The commands as a person types them, with their arguments and their input if these differ. */
const COMMANDS = [
  ["read cart.js"],
  ["grep -w sum"],
  [`apply << 'EOF'\n${PATCH}\nEOF`, ["apply"], PATCH],
  ["diff"],
];

await script(() => {
  const place = mkdtempSync(join(tmpdir(), "hashline-picture-"));
  try {
    const work = join(place, "work");
    mkdirSync(join(work, ".git"), { recursive: true });
    writeFileSync(join(work, "cart.js"), CART);
    const env = { ...process.env, XDG_STATE_HOME: join(place, "state"), XDG_CONFIG_HOME: place };
    const shown = COMMANDS.map(([typed, args = typed.split(" "), input = ""]) => {
      const all = [join(root, "js/program.js"), "--color=always", ...args];
      const { stdout } = spawnSync(process.execPath, all, { cwd: work, env, input, encoding: "utf8" });
      return `$ hashline ${typed}\n${stdout.trimEnd()}`;
    });
    const title = "hashline read, grep, apply and diff on a terminal";
    const panes = [{ title: "", text: shown.join("\n\n") }];
    writeFileSync(join(root, "docs/screens/program.svg"), sideBySide(panes, { columns: 110, title }));
    step("docs/screens/program.svg");
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
