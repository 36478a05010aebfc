// How a model that knows the rules of a system calls its tools.
//
// A dialect turns abstract edits, `{ path, first, last, lines }` (lines first to last of the file become
// `lines`; an insertion has last = first - 1), into one call, remembers what the answers have shown of each
// file, and tells whether an edit needs another read of the file first.

/** The texts of the files as the model believes them to be. */
class Dialect {
  constructor(files) {
    this.files = files;
  }

  /** The current lines that an edit replaces. */
  old({ path, first, last }) {
    return this.files.get(path).slice(first - 1, last);
  }

  /** Groups the edits: one call for each group. */
  calls(edits) {
    return [edits];
  }

  /** Whether a text occurs in a file exactly once. */
  isUnique(path, text) {
    const all = `${this.files.get(path).join("\n")}\n`;
    const at = all.indexOf(text);
    return at >= 0 && all.indexOf(text, at + 1) < 0;
  }
}

/** A copy of the list in which `make(edit)` replaces the items of each edit's lines. */
export function spliced(list, edits, make) {
  const result = [...list];
  for (const edit of [...edits].sort((a, b) => b.first - a.first)) {
    result.splice(edit.first - 1, edit.last - edit.first + 1, ...make(edit));
  }
  return result;
}

/** Groups edits by file. */
export function perFile(edits) {
  const groups = new Map();
  for (const edit of edits) groups.set(edit.path, [...(groups.get(edit.path) ?? []), edit]);
  return groups;
}

/** pi-hash: an anchor for each line, known from reads and reports. */
export class Ours extends Dialect {
  static tools = ["read", "grep", "apply_hash"];
  #anchors = new Map();

  read(path, window) {
    return { name: "read", arguments: { path, ...window } };
  }

  learnRead(path, text) {
    this.#anchors.set(path, Array(this.files.get(path).length).fill(undefined));
    this.#learn(path, text);
  }

  /** Whether the edit can be written by an anchor, or by a text that occurs once. */
  canWrite(edit) {
    return this.#op(edit) !== undefined;
  }

  edit(edits) {
    return { name: "apply_hash", arguments: { patch: edits.map((edit) => this.#op(edit)) } };
  }

  create(path, text) {
    return { name: "apply_hash", arguments: { patch: [{ op: "add_file", path, content: text }] } };
  }

  learnEdit(edits, text) {
    for (const [path, own] of perFile(edits)) {
      const anchors = this.#anchors.get(path) ?? [];
      this.#anchors.set(
        path,
        spliced(anchors, own, ({ lines }) => Array(lines.length).fill(undefined)),
      );
    }
    this.#learn(edits[0].path, text);
  }

  /** A refusal shows lines with their anchors. */
  learnRefusal([{ path }], text) {
    this.learnRead(path, text);
  }

  #op({ path, first, last, lines }) {
    const anchors = this.#anchors.get(path) ?? [];
    const [start, end] = [anchors[first - 1], anchors[last - 1]];
    const text = lines.join("\n");
    if (last < first) {
      const before = anchors[first - 2];
      return before && { op: "insert_after", path, anchor: before, text };
    }
    if (start !== undefined && end !== undefined) {
      return first === last
        ? { op: "set_line", path, anchor: start, text }
        : { op: "replace_range", path, start_anchor: start, end_anchor: end, text };
    }
    const old_text = this.old({ path, first, last }).join("\n");
    return this.isUnique(path, old_text) ? { op: "replace", path, old_text, new_text: text } : undefined;
  }

  /** Remembers the anchors of all rows and `tags:` lists; rows belong to the last file named above them. */
  #learn(first, text) {
    let path = first;
    for (const line of text.split("\n")) {
      const titled = /^(\S+?)(?:: (?:\+\d+ -\d+|created\b.*)| \(.*\))$/.exec(line);
      if (titled && this.files.has(titled[1])) path = titled[1];
      const row = /^[ +]?(\d+:[0-9a-z]+)\|/.exec(line);
      const tags = /^tags: (.*)$/.exec(line);
      for (const anchor of row ? [row[1]] : (tags?.[1].split(" ") ?? [])) {
        const at = Number.parseInt(anchor, 10) - 1;
        const anchors = this.#anchors.get(path) ?? [];
        anchors[at] = anchor;
        this.#anchors.set(path, anchors);
      }
    }
  }
}

/** pi's own edit: replaces an exact text that occurs in the file once. */
export class Pi extends Dialect {
  static tools = ["read", "edit", "write"];
  #stale = new Set();

  calls(edits) {
    return [...perFile(edits).values()];
  }

  read(path, window) {
    return { name: "read", arguments: { path, ...window } };
  }

  learnRead(path) {
    this.#stale.delete(path);
  }

  learnEdit() {}

  /** A refusal of this editor shows no lines of the file. */
  learnRefusal([{ path }]) {
    this.#stale.add(path);
  }

  canWrite({ path }) {
    return !this.#stale.has(path);
  }

  edit(edits) {
    const [{ path }] = edits;
    return { name: "edit", arguments: { path, edits: edits.map((edit) => this.#replacement(edit)) } };
  }

  create(path, content) {
    return { name: "write", arguments: { path, content } };
  }

  /** Replaces the lines, with as many neighbours in the old text as make it unique. */
  #replacement({ path, first, last, lines }) {
    const all = this.files.get(path);
    for (let around = last < first ? 1 : 0; ; around++) {
      const from = Math.max(first - 1 - around, 0);
      const to = Math.min(last + around, all.length);
      const oldText = all.slice(from, to).join("\n");
      if (this.isUnique(path, oldText) || to - from === all.length) {
        const kept = [all.slice(from, first - 1), all.slice(last, to)];
        return { oldText, newText: [...kept[0], ...lines, ...kept[1]].join("\n") };
      }
    }
  }
}

/** omp's own edit: line numbers with a tag of the whole file; only lines shown with that tag can be edited. */
export class Omp extends Dialect {
  static tools = ["read", "edit", "write", "grep"];
  #tags = new Map();
  #shown = new Map();

  read(path, { offset = 1, limit = this.files.get(path).length } = {}) {
    return { name: "read", arguments: { i: "read", path: `${path}:${offset}-${offset + limit - 1}` } };
  }

  learnRead(path, text) {
    this.#learn(path, text);
  }

  learnEdit([{ path }], text) {
    this.#learn(path, text);
  }

  learnRefusal([{ path }], text) {
    this.#learn(path, text);
  }

  canWrite({ path, first, last }) {
    const shown = this.#shown.get(path);
    const needed = last < first ? [first - 1] : [first, last];
    return needed.every((line) => shown?.has(line));
  }

  edit(edits) {
    const parts = [...perFile(edits)].map(([path, own]) => {
      const ops = own.map(({ first, last, lines }) => {
        const body = lines.map((line) => `\n+${line}`).join("");
        return last < first ? `PUT >${first - 1}:${body}` : `PUT ${first}.=${last}:${body}`;
      });
      return `[${path}#${this.#tags.get(path)}]\n${ops.join("\n")}`;
    });
    const input = `*** Begin Patch\n${parts.join("\n")}\n*** End Patch`;
    return { name: "edit", arguments: { i: "edit", input } };
  }

  create(path, content) {
    return { name: "write", arguments: { i: "write", path, content } };
  }

  #learn(path, text) {
    const tag = /\[[^\]#]+#([0-9A-F]+)\]/i.exec(text)?.[1];
    if (tag !== undefined) this.#tags.set(path, tag);
    const rows = [...text.matchAll(/^(\d+):/gm)].map(([, line]) => Number(line));
    this.#shown.set(path, new Set(rows));
  }
}

/** hashline-edit: an anchor for each line, which depends on its neighbours, known from reads and answers. */
export class HashlineEdit extends Dialect {
  static tools = ["read", "edit", "write"];
  #anchors = new Map();

  calls(edits) {
    return [...perFile(edits).values()];
  }

  read(path, window) {
    return { name: "read", arguments: { path, ...window } };
  }

  learnRead(path, text) {
    this.#anchors.set(path, new Map());
    this.#learn(path, text);
  }

  /** After an edit only the anchors that the answer shows are valid. */
  learnEdit([{ path }], text) {
    this.learnRead(path, text);
  }

  learnRefusal([{ path }], text) {
    this.learnRead(path, text);
  }

  canWrite({ path, first, last }) {
    const needed = last < first ? [first - 1] : [first, last];
    return needed.every((line) => this.#anchors.get(path)?.has(line));
  }

  edit(edits) {
    const [{ path }] = edits;
    const anchors = this.#anchors.get(path);
    const ops = edits.map(({ first, last, lines }) =>
      last < first
        ? { op: "append", pos: anchors.get(first - 1), lines }
        : {
            op: "replace",
            pos: anchors.get(first),
            ...(last > first && { end: anchors.get(last) }),
            lines,
          },
    );
    return { name: "edit", arguments: { path, edits: ops } };
  }

  create(path, content) {
    return { name: "write", arguments: { path, content } };
  }

  #learn(path, text) {
    for (const [, anchor] of text.matchAll(/^[ +]?(\d+#[0-9A-Z]+):/gm)) {
      this.#anchors.get(path)?.set(Number.parseInt(anchor, 10), anchor);
    }
  }
}
