// The formatters, pinned, from the npm registry and the Rust toolchain; and real files to try them on.

import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { cached, npmInstall } from "../../scripts/lab/cache.mjs";
import { root } from "../../scripts/run.mjs";

const PACKAGES = [
  "prettier@3.9.10",
  "@biomejs/biome@2.6.6",
  "@wasm-fmt/ruff_fmt@0.15.20",
  "@wasm-fmt/gofmt@0.7.3",
  "@wasm-fmt/clang-format@23.1.0",
  // Contains Python sources, which the benchmark formats.
  "node-gyp@12.1.0",
];

const SMALLEST = 40;
const LARGEST = 600;

// Every formatter in every configuration: `{ name, extensions, format(text, extension) }`.
export async function formatters() {
  const home = await installed();
  const modules = join(home, "node_modules");
  const load = (name) => import(pathToFileURL(createRequire(join(home, "x.js")).resolve(name)));
  const { default: prettier } = await load("prettier");
  const ruff = await load("@wasm-fmt/ruff_fmt");
  const gofmt = await load("@wasm-fmt/gofmt");
  const clang = await load("@wasm-fmt/clang-format");
  const biome = biomeProgram(modules);
  const script = ["js", "mjs", "cjs", "ts", "mts", "cts"];
  return [
    ...[
      ["2 spaces", {}],
      ["tabs", { useTabs: true }],
      ["4 spaces, no semicolons", { tabWidth: 4, semi: false, singleQuote: true }],
      ["width 120", { printWidth: 120 }],
    ].map(([name, options]) => ({
      name: `prettier, ${name}`,
      extensions: [...script, "css", "yaml", "yml"],
      format: (text, extension) => prettier.format(text, { ...options, filepath: `x.${extension}` }),
    })),
    ...[
      ["tabs", []],
      ["2 spaces", ["--indent-style=space"]],
    ].map(([name, flags]) => ({
      name: `biome, ${name}`,
      extensions: script,
      format: (text, extension) =>
        piped(biome, ["format", `--stdin-file-path=x.${extension}`, ...flags], text),
    })),
    ...[
      ["4 spaces", {}],
      ["2 spaces", { indent_width: 2 }],
      ["tabs", { indent_style: "tab" }],
    ].map(([name, options]) => ({
      name: `ruff, ${name}`,
      extensions: ["py"],
      format: (text) => ruff.format(text, "x.py", options),
    })),
    { name: "gofmt", extensions: ["go"], format: (text) => gofmt.format(text) },
    ...[
      ["4 spaces", []],
      ["tabs", ["--config", "hard_tabs=true"]],
      ["2 spaces", ["--config", "tab_spaces=2"]],
    ].map(([name, flags]) => ({
      name: `rustfmt, ${name}`,
      extensions: ["rs"],
      format: (text) => piped("rustfmt", ["--edition=2024", ...flags], text),
    })),
    ...["LLVM", "Google", "WebKit"].map((style) => ({
      name: `clang-format, ${style}`,
      extensions: ["c", "h", "cc", "cpp"],
      format: (text, extension) => clang.format(text, `x.${extension}`, style),
    })),
  ];
}

function installed() {
  return cached("formatters-1", (directory) => npmInstall(directory, PACKAGES));
}

// Real files of our dependencies, by extension, in a stable order.
export async function sources() {
  const cargo = join(process.env.CARGO_HOME ?? join(homedir(), ".cargo"), "registry", "src");
  const tools = join(await installed(), "node_modules", "node-gyp");
  const found = new Map();
  for (const directory of [join(root, "node_modules"), cargo, tools]) {
    walk(directory, 0, (path) => {
      const extension = extname(path).slice(1);
      if (!found.has(extension)) found.set(extension, []);
      found.get(extension).push(path);
    });
  }
  return found;
}

// Picks files of `sources` at random that have one of these extensions, a usual size and usual lines.
export function* textsOf(found, extensions, random) {
  const paths = extensions.flatMap((extension) => found.get(extension) ?? []);
  for (let tries = 0; tries < 40 * paths.length; tries++) {
    const path = random.pick(paths);
    const text = readFileSync(path, "utf8");
    const lines = text.split("\n");
    const usual = lines.length >= SMALLEST && lines.length <= LARGEST && text.endsWith("\n");
    const plain =
      !text.includes("\ufffd") && !text.includes("\r") && lines.every((line) => line.length < 300);
    if (usual && plain && !path.endsWith(".d.ts")) yield { path, text, extension: extname(path).slice(1) };
  }
}

function walk(directory, depth, visit) {
  if (depth > 12 || !existsSync(directory)) return;
  for (const name of readdirSync(directory).sort()) {
    const path = join(directory, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) walk(path, depth + 1, visit);
    else if (stat?.isFile() && stat.size < 60_000) visit(path);
  }
}

function biomeProgram(modules) {
  const platform = `cli-${process.platform}-${process.arch}`;
  const name = process.platform === "win32" ? "biome.exe" : "biome";
  return join(modules, "@biomejs", platform, name);
}

function piped(program, args, text) {
  return execFileSync(program, args, { input: text, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });
}
