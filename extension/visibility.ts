// Which tools the agent is offered: ours instead of the host's editing tools.
//
// The host's tools are hidden, and a call of one that came back all the same is blocked. An agent
// that had no editing tool when it started, such as omp's scout, does not get one from us.

import { type Context, type Host, nameOf, type ToolCallEvent } from "./host.ts";
import { isUrl } from "./host-reader.ts";
import { APPLY } from "./tools/apply.ts";

const EDITORS = ["edit", "write"];
const OURS = ["read", "grep", APPLY];

export class Visibility {
  readonly #host: Host;
  #mayEdit: boolean | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Whether this agent may change files; known after the first `settle`. */
  get mayEdit(): boolean {
    return this.#mayEdit ?? true;
  }

  /** Puts our tools in the place of those that are hidden. Cheap, so it is done before every run. */
  async settle(hide: string[], context: Context): Promise<void> {
    const active = this.#host.getActiveTools();
    // Decided once: from then on the editing tools are gone by our own doing.
    this.#mayEdit ??=
      EDITORS.some((name) => active.includes(name)) || namedByUser() || this.#wasSettled(active, context);
    const kept = active.filter((name) => !hide.includes(name) && (name !== APPLY || this.mayEdit));
    // Whoever chose the host's editors, such as a preset of another extension, means ours.
    const known = new Set(this.#host.getAllTools().map(({ name }) => name));
    const replaced = this.mayEdit && kept.length < active.length ? OURS : [];
    const wanted = [...kept, ...replaced.filter((name) => known.has(name) && !kept.includes(name))];
    if (wanted.join() !== active.join()) await this.#host.setActiveTools(wanted);
  }

  /** Whether this is a session of pi that goes on with the tools it ended with, ours among them. */
  #wasSettled(active: string[], { sessionManager }: Context): boolean {
    const goesOn = (sessionManager.getBranch?.() ?? []).some(({ type }) => type === "message");
    return nameOf(this.#host) === "pi" && goesOn && active.includes(APPLY);
  }
}

/** Whether the person chose apply_hash by name, as in `--tools read,apply_hash`. */
function namedByUser(): boolean {
  return process.argv.some((argument) => argument.split(/[=,]/).includes(APPLY));
}

/** Why a call of a hidden tool is blocked; nothing if it is not. */
export function hiddenReason({ toolName, input }: ToolCallEvent, hide: string[]): string | undefined {
  if (!hide.includes(toolName)) return undefined;
  // omp writes plans and calls mounted tools through URLs; those are no files of the workspace. Only
  // a conflict is: its address names the file that it is in.
  if (toolName === "write" && isUrl(input.path) && !input.path.startsWith("conflict:")) return undefined;
  return `\`${toolName}\` is replaced by ${APPLY}\nhint: use ${APPLY} {"patch":[{"op":"set_line","path":"…","anchor":"LINE:HASH","text":"…"}]}, or {"op":"add_file","path":"…","content":"…"} for a new file`;
}
