// One line of package.json defines the name of the package; these tests compare every other mention with it.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { cache } from "../scripts/lab/cache.mjs";
import { FORMER, mention, name, platformPackage, textFiles } from "../scripts/release/name.mjs";
import { root } from "../scripts/run.mjs";
import { startEngine } from "./engine.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");

test("no file mentions a former name of the package", () => {
  const left = textFiles()
    .filter((path) => path !== "scripts/release/name.mjs")
    .flatMap((path) =>
      FORMER.flatMap((former) => (mention(former).test(read(path)) ? [`${path}: ${former}`] : [])),
    );
  assert.deepEqual(left, [], "`npm run rename` brings them up to date");
});

test("a mention is the whole name, not part of another word", () => {
  for (const text of [
    "ab-c",
    "npm:ab-c@1",
    "`ab-c/omo`",
    "@ab-c/linux-x64-gnu",
    "ab-c-linux-x64-gnu-1.0.0.tgz",
    "~/.cache/ab-c",
  ]) {
    assert.equal(text.match(mention("ab-c"))?.length, 1, text);
  }
  for (const text of ["ab-cline", "cab-c", "my-ab-c", "ab_c", "ab-c-edit"]) {
    assert.equal(text.match(mention("ab-c")), null, text);
  }
});

test("`npm run rename` brings every file to another name, whose platforms are under its scope", (t) => {
  const place = mkdtempSync(join(tmpdir(), "hashline-rename-"));
  t.after(() => rmSync(place, { recursive: true, maxRetries: 10 }));
  for (const path of textFiles()) cpSync(join(root, path), join(place, path));
  const manifest = JSON.parse(read("package.json"));
  const write = (name) =>
    writeFileSync(join(place, "package.json"), `${JSON.stringify({ ...manifest, name }, null, 2)}\n`);
  const rename = () => startEngine([join(place, "scripts", "release", "name.mjs")], { encoding: "utf8" });
  write("line-anchors");
  assert.equal(rename().status, 0);
  const renamed = (path) => readFileSync(join(place, path), "utf8");
  const left = textFiles().filter(
    (path) => path !== "scripts/release/name.mjs" && mention(name).test(renamed(path)),
  );
  assert.deepEqual(left, []);
  assert.match(renamed("npm/darwin-x64/package.json"), /^ {2}"name": "@line-anchors\/darwin-x64",$/m);
  assert.match(renamed("js/loader.js"), /^const NAME = "line-anchors";$/m);
  write("@me/line-anchors");
  assert.match(rename().stderr, /the name `@me\/line-anchors` has a scope/);
});

test("the lock file and the platform packages have the package's name", () => {
  const lock = JSON.parse(read("package-lock.json"));
  assert.equal(lock.name, name);
  assert.equal(lock.packages[""].name, name);
  for (const platform of readdirSync(join(root, "npm"))) {
    assert.equal(platformPackage(platform), `@${name}/${platform}`);
    assert.equal(JSON.parse(read(`npm/${platform}/package.json`)).name, platformPackage(platform));
    assert.match(read(`npm/${platform}/README.md`), new RegExp(`^# \`${platformPackage(platform)}\``));
  }
});

test("downloads of the scripts are kept under the package's name", () => {
  if (process.env.HASHLINE_CACHE === undefined) assert.equal(cache.split(/[\\/]/).at(-1), name);
  assert.match(read(".github/workflows/ci.yml"), new RegExp(`~/\\.cache/${name}\\b`));
});

/** Where people and programs read the name: the pattern's capture must be the package's name, this often at least. */
const MENTIONS = [
  ["README.md", /^# (\S+)$/gm, 1],
  ["README.md", /\b(?:npm|pi|omp) install (?:-g )?(?:npm:)?([\w-]+)/g, 3],
  ["README.md", /from\s"([\w-]+)(?:\/hashline)?"/g, 2],
  ["docs/library.md", /from "([\w-]+)(?:\/hashline)?"/g, 3],
  ["CHANGELOG.md", /^- `([\w-]+)(?:\/\w+)?`:/gm, 3],
  ["js/loader.js", /^const NAME = "(.+)";$/gm, 1],
  ["extension/index.ts", /"([\w-]+) is not running/g, 1],
  ["extension/commands/index.ts", /description: `([\w-]+):/g, 1],
  ["extension/commands/status.ts", /`([\w-]+) \$\{core\.version/g, 1],
  ["extension/settings.schema.json", /"Settings of ([\w-]+)"/g, 1],
  ["docs/demo.svg", /with ([\w-]+):/g, 1],
  ["LICENSE", /the ([\w-]+) authors/g, 1],
];

for (const [path, pattern, least] of MENTIONS) {
  test(`${path} has the package's name where ${pattern} finds it`, () => {
    const found = [...read(path).matchAll(pattern)].map(([, captured]) => captured);
    assert.ok(found.length >= least, `${found.length} mentions, expected ${least} or more`);
    for (const captured of found) assert.equal(captured, name);
  });
}

test("the crate is not published, and the program keeps its own name", () => {
  const manifest = read("Cargo.toml");
  assert.match(manifest, /^name = "hashline"$/m);
  assert.match(manifest, /^publish = false$/m);
  assert.match(read("README.md"), /cargo install --locked --path/);
  assert.doesNotMatch(read("README.md"), /cargo install hashline/);
});
