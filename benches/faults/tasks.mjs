// Edit tasks as a model gets them: a file, the text it should have afterwards, and the lines to change.

const NAMES = [
  "total",
  "order",
  "cache",
  "price",
  "queue",
  "token",
  "index",
  "frame",
  "parse",
  "merge",
  "limit",
  "route",
];

// For each language: the start of a file, one function or block, and a few lines for its body.
const LANGUAGES = {
  ts: {
    header: ["import { log } from './log';", ""],
    unit: (name, other) => [
      `export function ${name}(input: number): number {`,
      `  const ${other} = input * 2;`,
      `  if (${other} > 10) {`,
      `    log("${name}", ${other});`,
      "  }",
      `  log("done ${name}");`,
      `  return ${other};`,
      "}",
    ],
    line: (word) => [`  const ${word} = input + 1;`],
    block: (word) => [`  for (const ${word} of [1, 2]) {`, `    log("${word}", ${word});`, "  }"],
  },
  python: {
    header: ["import logging", ""],
    unit: (name, other) => [
      `def ${name}(value):`,
      `    ${other} = value * 2`,
      `    if ${other} > 10:`,
      `        logging.info("${name} %s", ${other})`,
      `    logging.info("done ${name}")`,
      `    return ${other}`,
      "",
    ],
    line: (word) => [`    ${word} = value + 1`],
    block: (word) => [
      `    for ${word} in (1, 2):`,
      `        logging.info("${word} %s", ${word})`,
      `    logging.info("after ${word}")`,
    ],
  },
  rust: {
    header: ["use crate::log;", ""],
    unit: (name, other) => [
      `pub fn ${name}(input: u32) -> u32 {`,
      `    let ${other} = input * 2;`,
      `    if ${other} > 10 {`,
      `        log("${name}", ${other});`,
      "    }",
      `    log("done ${name}", 0);`,
      `    ${other}`,
      "}",
    ],
    line: (word) => [`    let ${word} = input + 1;`],
    block: (word) => [`    for ${word} in 0..2 {`, `        log("${word}", ${word});`, "    }"],
  },
  go: {
    header: ["package main", "", 'import "fmt"', ""],
    unit: (name, other) => [
      `func ${name}(input int) int {`,
      `\t${other} := input * 2`,
      `\tif ${other} > 10 {`,
      `\t\tfmt.Println("${name}", ${other})`,
      "\t}",
      `\tfmt.Println("done ${name}")`,
      `\treturn ${other}`,
      "}",
    ],
    line: (word) => [`\t${word} := input + 1`],
    block: (word) => [`\tfor ${word} := range 2 {`, `\t\tfmt.Println("${word}", ${word})`, "\t}"],
  },
  java: {
    header: ["class Main {"],
    unit: (name, other) => [
      `    int ${name}(int input) {`,
      `        int ${other} = input * 2;`,
      `        if (${other} > 10) {`,
      `            log("${name}", ${other});`,
      "        }",
      `        log("done ${name}", 0);`,
      `        return ${other};`,
      "    }",
    ],
    line: (word) => [`        int ${word} = input + 1;`],
    block: (word) => [
      `        for (int ${word} = 0; ${word} < 2; ${word}++) {`,
      `            log("${word}", ${word});`,
      "        }",
    ],
    footer: ["}"],
  },
  c: {
    header: ["#include <stdio.h>", ""],
    unit: (name, other) => [
      `int ${name}(int input)`,
      "{",
      `    int ${other} = input * 2;`,
      `    if (${other} > 10) {`,
      `        printf("${name} %d", ${other});`,
      "    }",
      `    puts("done ${name}");`,
      `    return ${other};`,
      "}",
    ],
    line: (word) => [`    int ${word} = input + 1;`],
    block: (word) => [
      `    for (int ${word} = 0; ${word} < 2; ${word}++) {`,
      `        printf("${word} %d", ${word});`,
      "    }",
    ],
  },
  yaml: {
    header: ["version: 2", "jobs:"],
    unit: (name, other) => [
      `  ${name}:`,
      "    runs-on: linux",
      "    steps:",
      `      - run: make ${other}`,
      `        name: build ${other}`,
      `      - run: echo done ${name}`,
      `        name: finish ${name}`,
    ],
    line: (word) => [`      - run: check ${word}`],
    block: (word) => [`      - run: test ${word}`, `        name: test ${word}`, `        timeout: 10`],
  },
  css: {
    header: ["@import 'base.css';", ""],
    unit: (name, other) => [
      `.${name} {`,
      `  --${other}: 2px;`,
      `  margin: var(--${other});`,
      `  content: "${name}";`,
      `  width: calc(100% - ${name.length}px);`,
      `  color: var(--${name});`,
      "}",
    ],
    line: (word) => [`  padding-${word}: 1px;`],
    block: (word) => ["  &:hover {", `    outline-${word}: 1px;`, "  }"],
  },
};

export const LANGUAGE_NAMES = Object.keys(LANGUAGES);

const KINDS = ["line", "range", "insert", "delete", "unit"];

// `count` tasks for each language and kind of edit.
export function makeTasks(random, count) {
  const tasks = [];
  for (const [language, shape] of Object.entries(LANGUAGES)) {
    for (const kind of KINDS) {
      for (let done = 0; done < count; done++) tasks.push(makeTask(language, shape, kind, random.fork()));
    }
  }
  return tasks;
}

function makeTask(language, shape, kind, random) {
  const names = [...NAMES].sort(() => random.next() - 0.5);
  const before = [...shape.header];
  const starts = [];
  for (let unit = 0; unit < 4; unit++) {
    starts.push(before.length);
    before.push(...shape.unit(`${names[unit]}_${unit}`, names[unit + 4]), "");
  }
  before.push(
    ...(shape.footer ?? ["# end".replace("#", language === "python" || language === "yaml" ? "#" : "//")]),
  );
  const word = names[9];
  const start = random.pick(starts.slice(0, 3));
  const size = shape.unit("a", "b").length;
  // The last but one line of the body, which has the body's own indentation.
  const body = start + size - (language === "python" || language === "yaml" ? 3 : 3);
  const intent = {
    line: () => ({ kind: "set", first: body, last: body, lines: shape.line(word) }),
    range: () => ({ kind: "set", first: body, last: body + 1, lines: shape.block(word) }),
    insert: () => ({ kind: "insert", first: body, last: body, lines: shape.line(word) }),
    delete: () => ({ kind: "delete", first: body, last: body, lines: [] }),
    unit: () => ({
      kind: "insert",
      first: start + size,
      last: start + size,
      lines: [...shape.unit(`${word}_new`, names[10]), ""],
    }),
  }[kind]();
  return { language, kind, before, intent, after: carryOut(before, intent) };
}

export function carryOut(lines, { kind, first, last, lines: text }) {
  const after = [...lines];
  if (kind === "insert") after.splice(first + 1, 0, ...text);
  else after.splice(first, last - first + 1, ...text);
  return after;
}
