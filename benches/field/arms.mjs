// The arms: the editors that are compared, and how a model that knows each of them would word an edit.
//
// They extend the dialects of bench:tokens by what the situations need: deleted lines, a part of a line, an empty
// file. An arm that cannot run here has the reason in `missing`.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE } from "../../__test__/hosts/bench.mjs";
import { HashlineEdit, Omp, Ours, Pi, perFile, spliced } from "../tokens/dialects.mjs";

const call = (name, args) => ({ name, arguments: args });
/** Whether the edits are one edit that fills an empty file. */
const fills = (files, edits) => edits.length === 1 && files.get(edits[0].path).length === 0;
const whole = ({ lines }) => lines.join("\n");

/** A deletion also replaces the line above or below, because otherwise this editor leaves a blank line. */
function keepingALine(files, edits) {
  return edits.map((edit) => {
    if (edit.lines.length > 0) return edit;
    const { path, first, last } = edit;
    const all = files.get(path);
    return first > 1
      ? { ...edit, first: first - 1, lines: [all[first - 2]] }
      : { ...edit, last: last + 1, lines: [all[last]] };
  });
}

/** Several edits of a file as one edit, from the first to the last of their lines. */
function merged(files, edits) {
  const [{ path }] = edits;
  const all = files.get(path);
  const after = spliced(all, edits, (edit) => edit.lines);
  const first = Math.min(...edits.map((edit) => edit.first));
  const last = Math.max(...edits.map((edit) => edit.last));
  return { path, first, last, lines: after.slice(first - 1, last + after.length - all.length) };
}

class OurField extends Ours {
  edit(edits) {
    if (fills(this.files, edits)) {
      const [{ path }] = edits;
      return call("apply_hash", {
        patch: [{ op: "insert_before", path, anchor: "start", text: whole(edits[0]) }],
      });
    }
    const written = super.edit(edits);
    for (const [at, op] of written.arguments.patch.entries()) {
      const { sub } = edits[at];
      if (sub === undefined || op.op !== "set_line") continue;
      const { path, anchor } = op;
      written.arguments.patch[at] = { op: "replace", path, anchor, old_text: sub[0], new_text: sub[1] };
    }
    return written;
  }

  canWrite(edit) {
    return fills(this.files, [edit]) || super.canWrite(edit);
  }
}

class PiField extends Pi {
  edit(edits) {
    const [{ path, sub }] = edits;
    if (fills(this.files, edits)) return this.create(path, whole(edits[0]));
    if (edits.length === 1 && sub !== undefined && this.isUnique(path, sub[0])) {
      return call("edit", { path, edits: [{ oldText: sub[0], newText: sub[1] }] });
    }
    return super.edit(keepingALine(this.files, edits.length > 1 ? [merged(this.files, edits)] : edits));
  }
}

class OmpField extends Omp {
  edit(edits) {
    if (fills(this.files, edits)) return this.create(edits[0].path, whole(edits[0]));
    return super.edit(keepingALine(this.files, edits));
  }
}

/** Only a shell: it replaces lines by their numbers. */
class Bash extends Pi {
  read(path) {
    return call("bash", { command: `cat -n ${path}` });
  }

  learnRead() {}

  learnRefusal() {}

  canWrite() {
    return true;
  }

  calls(edits) {
    return [...perFile(edits).values()];
  }

  edit(edits) {
    const [{ path }] = edits;
    const empty = fills(this.files, edits);
    const { first, last, lines } = merged(this.files, edits);
    const body = lines.join("\n");
    const tail = `tail -n +${last + 1} ${path}`;
    const text = `cat << 'EOF'\n${body}\nEOF\n`;
    const command = empty
      ? `printf '%s' '${body}' > ${path}`
      : `{ head -n ${first - 1} ${path}; ${body === "" ? "" : text}${tail}; } > ${path}.new && mv ${path}.new ${path}`;
    return call("bash", { command });
  }
}

/** The arms; `pro` is a checkout of pi-hashline-edit-pro with its dependencies. */
export function arms(pro) {
  const missing =
    pro === undefined
      ? "it is not on the npm registry: name a checkout with its dependencies by --pro DIR"
      : existsSync(join(pro, "package.json"))
        ? undefined
        : `${pro} has no package.json`;
  return [
    { name: "ours in pi", host: "pi", extensions: [PACKAGE], Dialect: OurField },
    { name: "ours in omp", host: "omp", extensions: [PACKAGE], Dialect: OurField },
    { name: "pi's edit", host: "pi", extensions: [], Dialect: PiField },
    { name: "omp's edit", host: "omp", extensions: [], Dialect: OmpField },
    { name: "bash alone", host: "pi", extensions: [], Dialect: Bash },
    { name: "pro", host: "pi", extensions: [pro], Dialect: HashlineEdit, missing },
  ];
}
