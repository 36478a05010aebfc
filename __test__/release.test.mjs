// The conditions for a release: versions that agree, packages with the right files, known licences.

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { glibcOf, kindOf, macosOf } from "../scripts/lab/platforms/binaries.mjs";
import { TARGETS } from "../scripts/lab/platforms/targets.mjs";
import { absoluteLinks, filesOf, published } from "../scripts/pack.mjs";
import { ALLOWED, isAllowed, objection } from "../scripts/release/crates.mjs";
import { filledIn, stepsOf } from "../scripts/release/dry-run.mjs";
import {
  check,
  formula,
  notesOf,
  tagOf,
  versions,
  withRelease,
  withVersion,
} from "../scripts/release/release.mjs";
import { root } from "../scripts/run.mjs";

const read = (path) => readFileSync(join(root, path), "utf8");
const json = (path) => JSON.parse(read(path));

test("every place has the same version", async () => {
  const version = await check();
  for (const [place, found] of await versions()) assert.equal(found, version, place);
});

test("a prerelease does not get npm's tag `latest`", () => {
  assert.deepEqual(["1.2.3", "1.2.3-beta.1"].map(tagOf), ["latest", "next"]);
});

test("package-lock.json names no registry", () => {
  assert.doesNotMatch(read("package-lock.json"), /"resolved": "https?:/);
});

test("a tag of another version is refused", async () => {
  await assert.rejects(check("v99.0.0"), /the tag is v99\.0\.0, but the version is/);
});

test("a tag in a repository that package.json does not name is refused", async () => {
  const tag = `v${await check()}`;
  await assert.rejects(check(tag, "somebody/fork"), /package\.json names \S+, but this is somebody\/fork/);
});

test("a new version goes into every file that repeats it, and nowhere else", () => {
  for (const path of ["package.json", "Cargo.toml", "js/loader.js", "npm/darwin-x64/package.json"]) {
    const [before, after] = [read(path), withVersion(path, read(path), "99.0.0-beta.1")];
    const changed = after.split("\n").filter((line, at) => line !== before.split("\n")[at]);
    assert.ok(changed.length > 0 && changed.every((line) => line.includes("99.0.0-beta.1")), path);
    assert.equal(after.replaceAll("99.0.0-beta.1", json("package.json").version), before);
  }
  assert.throws(() => withVersion("Cargo.toml", "[workspace]\n", "1.0.0"), /Cargo\.toml has no version/);
  const marketplace = `{ "metadata": { "version": "0.1.0" }, "plugins": [{ "version": "0.1.0" }] }`;
  assert.equal(
    withVersion("plugins/a/.claude-plugin/marketplace.json", marketplace, "0.2.0"),
    marketplace.replaceAll("0.1.0", "0.2.0"),
  );
});

test("a release gets a heading above the unreleased changes, below an empty section", () => {
  const changes = withRelease("# C\n\n## [Unreleased]\n\n- new\n", "1.0.0", "2026-01-01");
  assert.equal(changes, "# C\n\n## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n\n- new\n");
  assert.equal(notesOf(changes, "1.0.0"), "- new\n");
  assert.throws(() => withRelease("# C\n", "1.0.0", ""), /no section/);
});

test("a section that was prepared for a release gets its date, once nothing else is unreleased", () => {
  const prepared = "# C\n\n## [Unreleased]\n\n## [1.0.0]\n\n- first\n";
  assert.equal(
    withRelease(prepared, "1.0.0", "2026-01-01"),
    "# C\n\n## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n\n- first\n",
  );
  const more = prepared.replace("## [1.0.0]", "- more\n\n## [1.0.0]");
  assert.throws(() => withRelease(more, "1.0.0", ""), /move what is unreleased/);
});

test("there is one package for each platform that the loader and napi-rs know", () => {
  const platforms = TARGETS.map(({ platform }) => platform).sort();
  assert.deepEqual(readdirSync(join(root, "npm")).sort(), platforms);
  const known = [...read("js/loader.js").matchAll(/^ {2}"([a-z0-9-]+)",$/gm)].map(([, target]) => target);
  assert.deepEqual(known.sort(), platforms);
  const triples = TARGETS.map(({ rust, standIn }) => standIn ?? rust);
  assert.deepEqual(json("package.json").napi.targets.sort(), triples.sort());
});

test("a platform's package has its addon, the program and the notices, for its system only", () => {
  for (const { platform } of TARGETS) {
    const [os, cpu, abi] = platform.split("-");
    const found = json(`npm/${platform}/package.json`);
    assert.deepEqual([found.os, found.cpu], [[os], [cpu]]);
    assert.deepEqual(found.libc, os === "linux" ? [abi === "musl" ? "musl" : "glibc"] : undefined);
    assert.equal(found.main, `hashline.${platform}.node`);
    assert.deepEqual(found.bin, { hashline: "bin/hashline.js" });
    assert.match(read(`npm/${platform}/${found.bin.hashline}`), new RegExp(`\\.\\./${found.main}"`));
    assert.deepEqual(found.files, [found.main, "bin", "THIRD-PARTY-NOTICES.md"]);
    for (const field of ["license", "engines", "repository", "homepage", "bugs"]) {
      assert.deepEqual(found[field], json("package.json")[field], `${platform}: ${field}`);
    }
  }
});

test("the main package is published without a binary, and names every platform's package", () => {
  const manifest = published(json("package.json"), ["linux-x64-gnu", "darwin-arm64"]);
  const { version } = manifest;
  assert.deepEqual(manifest.optionalDependencies, {
    "@pi-hash/linux-x64-gnu": version,
    "@pi-hash/darwin-arm64": version,
  });
  assert.ok(!manifest.files.some((pattern) => pattern.endsWith(".node")));
  assert.equal(manifest.scripts, undefined);
  assert.equal(manifest.devDependencies, undefined);
});

test("the main package has every file that its manifest or its own modules name", () => {
  const manifest = json("package.json");
  const packed = filesOf(published(manifest, []).files);
  const entries = Object.values(manifest.exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  const named = [...entries, manifest.main, manifest.types, ...Object.values(manifest.bin)].map((path) =>
    path.replace(/^\.\//, ""),
  );
  // The bundle is made when the package is packed.
  const made = ["package.json", ...manifest.pi.extensions.map((path) => path.replace(/^\.\//, ""))];
  for (const path of named) assert.ok(made.includes(path) || packed.includes(path), `${path} is not packed`);
  const modules = packed.filter((path) => /\.(?:js|d\.ts)$/.test(path) && existsSync(join(root, path)));
  for (const path of modules.filter((path) => !made.includes(path))) {
    for (const [, to] of read(path).matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      const target = posix.join(posix.dirname(path), to);
      const isThere = packed.includes(target) || packed.includes(target.replace(/\.js$/, ".d.ts"));
      assert.ok(isThere, `${path} needs ${target}, which is not packed`);
    }
  }
});

test("the published README links to the release's files on GitHub, and to a picture that npm shows", () => {
  const text = `<img src="docs/demo.svg" width="6"> [a](docs/a.md#x), [b](docs/adr/), [c](#c), [d](https://e.org)`;
  assert.equal(
    absoluteLinks(text, "https://github.com/me/mine", "v1.2.3"),
    `<img src="https://raw.githubusercontent.com/me/mine/v1.2.3/docs/demo.png" width="6"> ` +
      "[a](https://github.com/me/mine/blob/v1.2.3/docs/a.md#x), [b](https://github.com/me/mine/blob/v1.2.3/docs/adr/), " +
      "[c](#c), [d](https://e.org)",
  );
  const page = absoluteLinks(read("README.md"), "https://github.com/me/mine", "v1.2.3");
  assert.doesNotMatch(page, /\]\((?!https:|#)|(?:src|href)="(?!https:|#)/);
});

test("the package has keywords to be found by, and a picture for pi's gallery", () => {
  const { keywords, pi } = json("package.json");
  for (const word of "pi pi-extension pi-package oh-my-pi hashline hash-anchored coding-agent undo".split(
    " ",
  ))
    assert.ok(keywords.includes(word), word);
  assert.match(pi.image, /\/docs\/demo\.png$/);
  const picture = readFileSync(join(root, "docs/demo.png"));
  assert.equal(picture.toString("latin1", 1, 4), "PNG");
  const [width, height] = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  assert.ok(width >= 1200 && width > height, `${width} x ${height}`);
});

test("licence expressions are evaluated", () => {
  for (const good of [
    "MIT",
    "MIT OR GPL-3.0",
    "GPL-3.0/MIT",
    "(MIT OR X) AND ISC",
    "Apache-2.0 WITH LLVM-exception",
  ]) {
    assert.ok(isAllowed(good), good);
  }
  for (const bad of ["GPL-3.0", "MIT AND GPL-3.0", "(X OR Y) AND MIT", ""]) assert.ok(!isAllowed(bad), bad);
});

test("a crate that is not from crates.io is refused", () => {
  const source = "registry+https://github.com/rust-lang/crates.io-index";
  assert.equal(objection({ name: "a", license: "MIT", source }), undefined);
  assert.match(objection({ name: "a", license: "MIT", source: "git+https://x/y" }), /a: from git/);
  assert.match(objection({ name: "a", license: null, source }), /a: licence null/);
});

test("deny.toml allows the same licences as the script", () => {
  const [, list] = /^allow = \[(.+)\]$/m.exec(read("deny.toml"));
  assert.deepEqual(JSON.parse(`[${list}]`), ALLOWED);
});

test("the system that a binary needs is read from the file", () => {
  assert.equal(glibcOf(Buffer.from("GLIBC_2.2.5\0GLIBC_2.17\0GLIBC_2.4\0")), "2.17");
  assert.equal(glibcOf(Buffer.from("none")), undefined);
  const mach = Buffer.alloc(64);
  mach.writeUInt32LE(0xfeedfacf, 0);
  mach.writeUInt32LE(0x0100000c, 4);
  mach.writeUInt32LE(1, 16);
  mach.writeUInt32LE(0x32, 32);
  mach.writeUInt32LE(24, 36);
  mach.writeUInt32LE((11 << 16) | (3 << 8), 44);
  const elf = Buffer.alloc(64);
  elf.writeUInt32BE(0x7f454c46, 0);
  elf.writeUInt16LE(183, 18);
  const having = (text) => Buffer.concat([elf, Buffer.from(`\0${text}\0`)]);
  const android = having(".note.android.ident");
  assert.deepEqual([elf, android].map(kindOf), ["linux-arm64", "android-arm64"]);
  elf.writeUInt16LE(40, 18);
  assert.equal(kindOf(elf), "linux-arm");
  elf.writeUInt16LE(62, 18);
  assert.equal(kindOf(having("FBSD_1.6")), "freebsd-x64");
  assert.equal(macosOf(mach), "11.3");
  assert.equal(kindOf(mach), "darwin-arm64");
  assert.throws(() => macosOf(Buffer.alloc(64)), /no 64-bit Mach-O/);
});

test("the notes of a release are its section of CHANGELOG.md, or else the unreleased one", () => {
  const changes =
    "# C\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- first\n\n## [0.9.0]\n\n- old\n";
  assert.equal(notesOf(changes, "1.0.0"), "- first\n");
  assert.equal(notesOf(changes, "2.0.0"), "- new\n");
  assert.throws(() => notesOf("# C\n", "1.0.0"), /no section for 1\.0\.0/);
});

const FORMULA = read("packaging/homebrew/hashline.rb");

test("the formula gets the version, the addresses and the checksums of a release", () => {
  const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu"];
  const sums = Object.fromEntries(
    platforms.map((name) => [`hashline-1.2.3-${name}.tar.gz`, `sum-of-${name}`]),
  );
  const text = formula(FORMULA, "1.2.3", "git+https://example.org/a.git", sums);
  assert.match(text, /^ {2}version "1\.2\.3"$/m);
  assert.match(text, /^ {2}homepage "https:\/\/example\.org\/a"$/m);
  for (const platform of platforms) {
    const address = `https://example.org/a/releases/download/v#{version}/hashline-#{version}-${platform}.tar.gz`;
    assert.match(
      text.replaceAll(/\n\s+/g, "\n"),
      new RegExp(
        `url "${RegExp.escape?.(address) ?? address.replaceAll(/[.#{}]/g, "\\$&")}"\nsha256 "sum-of-${platform}"`,
      ),
    );
  }
  assert.equal([...text.matchAll(/sha256 "/g)].length, platforms.length);
  assert.throws(() => formula(FORMULA, "1.2.3", "", {}), /there is no archive for darwin-arm64/);
});

const noWasi = process.versions.bun !== undefined && "the parser needs a WASI as Node.js has it";

test("the formula is Ruby", { skip: noWasi }, async () => {
  const { loadPrism } = await import("@ruby/prism");
  const parse = await loadPrism();
  assert.deepEqual(parse(FORMULA).errors, []);
  assert.notDeepEqual(parse(FORMULA.replace(/end\n$/, "")).errors, []);
});

const WORKFLOWS = readdirSync(join(root, ".github/workflows"));

for (const workflow of WORKFLOWS) {
  test(`${workflow} pins every action by its hash, and names no runner that is gone`, () => {
    const text = read(`.github/workflows/${workflow}`);
    const used = [...text.matchAll(/uses: (\S+)(.*)$/gm)];
    assert.ok(used.length > 0);
    for (const [, action, comment] of used) {
      assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
      assert.match(comment, /^ # v\d+\.\d+\.\d+$/, `${action}: the version in words`);
    }
    assert.doesNotMatch(text, /macos-1[34]\b|-latest/);
  });
}

test("the release builds every platform, and the scripts that workflows run exist", () => {
  const text = read(".github/workflows/release.yml");
  const built = [...text.matchAll(/platform: ([\w-]+)/g)].map(([, platform]) => platform);
  assert.deepEqual(built.sort(), TARGETS.map(({ platform }) => platform).sort());
  const { scripts } = json("package.json");
  for (const workflow of WORKFLOWS) {
    for (const [, called] of read(`.github/workflows/${workflow}`).matchAll(/npm run ([\w:]+)/g)) {
      assert.ok(called in scripts, `${workflow}: npm run ${called}`);
    }
    for (const [, file] of read(`.github/workflows/${workflow}`).matchAll(/node (scripts\/\S+)/g)) {
      assert.ok(existsSync(join(root, file)), `${workflow}: ${file}`);
    }
  }
});

test("the dry run finds the commands of the jobs", () => {
  const text = read(".github/workflows/release.yml");
  const commands = (job) => stepsOf(text, job).flatMap(({ run }) => (run ? [filledIn(run)] : []));
  assert.deepEqual(commands("versions"), ["node scripts/release/release.mjs check"]);
  assert.ok(commands("build").includes("node scripts/lab/platforms/test-platforms.mjs linux-x64-gnu"));
  assert.equal(commands("publish").at(-1), "node scripts/release/release.mjs publish --dry-run");
});
