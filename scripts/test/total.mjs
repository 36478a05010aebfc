// Adds up the counts that scripts/test.mjs saved, for the last line of `.ci/run`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../run.mjs";

const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of ["test.json", "rest.json"]
  .map((name) => join(root, "target", "tests", name))
  .filter(existsSync)) {
  for (const [key, number] of Object.entries(JSON.parse(readFileSync(name, "utf8")))) total[key] += number;
}
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
