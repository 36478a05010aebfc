// The crates in the binaries: their licences, the notices and the SBOM.
//
//   npm run notices            prints THIRD-PARTY-NOTICES.md, which every package with a binary has
//   npm run sbom               prints the list as CycloneDX 1.5
//   node scripts/release/crates.mjs    only checks licences and sources

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isMain, outputOf, root, script } from "../run.mjs";
import { name as packageName } from "./name.mjs";

/** Licences that require only a notice. deny.toml has the same list. */
export const ALLOWED = [
  "MIT",
  "Apache-2.0",
  "BSD-3-Clause",
  "BSL-1.0",
  "ISC",
  "Unicode-3.0",
  "Unlicense",
  "Zlib",
];

const LICENCE_FILE = /^(?:licen[cs]e|copying|unlicense|notice)/i;

/** The crates in the addon, on all platforms together, without our own, sorted by name. */
export async function crates() {
  const args = ["--quiet", "metadata", "--format-version", "1", "--locked"];
  const { packages, resolve } = JSON.parse(await outputOf("cargo", args));
  const byId = new Map(packages.map((crate) => [crate.id, crate]));
  const dependencies = new Map(resolve.nodes.map(({ id, deps }) => [id, deps]));
  const found = new Set();
  const visit = (id) => {
    if (found.has(id)) return;
    found.add(id);
    // The crates that only tests and build scripts use are in no binary.
    for (const { pkg, dep_kinds } of dependencies.get(id)) {
      if (dep_kinds.some(({ kind }) => kind === null)) visit(pkg);
    }
  };
  visit(resolve.root);
  return [...found]
    .map((id) => byId.get(id))
    .filter(({ source }) => source !== null)
    .sort((a, b) => (a.name === b.name ? (a.version < b.version ? -1 : 1) : a.name < b.name ? -1 : 1));
}

/** Whether allowed licences satisfy a licence expression such as `(MIT OR X) AND ISC` or `MIT/X`. */
export function isAllowed(expression) {
  const tokens = expression.replaceAll("/", " OR ").match(/\(|\)|[^\s()]+/g) ?? [];
  let at = 0;
  const term = () => {
    if (tokens[at] !== "(") {
      const licence = tokens[at++];
      // An exception only permits more.
      if (tokens[at] === "WITH") at += 2;
      return ALLOWED.includes(licence);
    }
    at++;
    const inner = either();
    at++;
    return inner;
  };
  const all = () => {
    let met = term();
    while (tokens[at] === "AND") {
      at++;
      met = term() && met;
    }
    return met;
  };
  const either = () => {
    let met = all();
    while (tokens[at] === "OR") {
      at++;
      met = all() || met;
    }
    return met;
  };
  return tokens.length > 0 && either();
}

/** Says what is wrong with a crate's licence or source; undefined if nothing is. */
export function objection({ name, license, source }) {
  if (!source.startsWith("registry+https://github.com/rust-lang/crates.io-index"))
    return `${name}: from ${source}`;
  return license && isAllowed(license) ? undefined : `${name}: licence ${license}`;
}

/** The text of the notices: every crate with its licence, and every licence text once. */
export function notices(found) {
  const texts = new Map();
  for (const { name, version, manifest_path } of found) {
    for (const text of licenceTexts(dirname(manifest_path))) {
      const key = text.replaceAll(/\s+/g, " ");
      const users = texts.get(key) ?? { text, names: [] };
      users.names.push(`${name} ${version}`);
      texts.set(key, users);
    }
  }
  const table = found.map(
    ({ name, version, license, repository }) => `- ${name} ${version}: ${license} (${repository})`,
  );
  const sections = [...texts.values()].map(({ text, names }) => `## ${names.join(", ")}\n\n${fenced(text)}`);
  return `# Third-party notices\n\nThe binaries of ${packageName} contain these crates:\n\n${table.join("\n")}\n\n${sections.join("\n\n")}\n`;
}

const fenced = (text) => `~~~~text\n${text.trimEnd()}\n~~~~`;

function licenceTexts(directory) {
  const files = readdirSync(directory, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && LICENCE_FILE.test(entry.name),
  );
  return files.map(({ name }) => readFileSync(join(directory, name), "utf8"));
}

/** The software bill of materials, without a date or a serial number: the same sources give the same file. */
export function sbom(found, version) {
  const component = ({ name, version, license, repository, description }) => ({
    type: "library",
    "bom-ref": `pkg:cargo/${name}@${version}`,
    name,
    version,
    purl: `pkg:cargo/${name}@${version}`,
    ...(description && { description: description.trim().replaceAll(/\s+/g, " ") }),
    licenses: [{ expression: license.replaceAll("/", " OR ") }],
    ...(repository && { externalReferences: [{ type: "vcs", url: repository }] }),
  });
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.5",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": packageName,
        name: packageName,
        version,
        purl: `pkg:npm/${packageName}@${version}`,
      },
      properties: [{ name: "cargo-lock-sha256", value: lockHash() }],
    },
    components: found.map(component),
  };
}

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "Cargo.lock")))
    .digest("hex");

if (isMain(import.meta.url)) {
  await script(async () => {
    const found = await crates();
    const objections = found.map(objection).filter(Boolean);
    if (objections.length > 0) throw new Error(`not allowed:\n  ${objections.join("\n  ")}`);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    if (process.argv[2] === "notices") process.stdout.write(notices(found));
    else if (process.argv[2] === "sbom")
      process.stdout.write(`${JSON.stringify(sbom(found, version), null, 2)}\n`);
    else process.stdout.write(`${found.length} crates, all from crates.io, with allowed licences\n`);
  });
}
