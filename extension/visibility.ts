// Which tools the agent is offered: ours instead of the host's editing tools.
//
// The host's tools are hidden, and a call of one that came back all the same is blocked. An agent
// that had no editing tool when it started, such as omp's scout, does not get one from us.

import { isUrl } from "./foreign.ts";
import { type Host, nameOf, type ToolCallEvent } from "./host.ts";
import { APPLY } from "./tools/apply.ts";

const EDITORS = ["edit", "write"];

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

  /** Takes away what is hidden. Cheap, so it is done before every run. */
  async settle(hide: string[]): Promise<void> {
    const active = this.#host.getActiveTools();
    // Decided once: from then on the editing tools are gone by our own doing. pi leaves out
    // apply_hash by itself where tools are chosen by name; omp adds it to every agent.
    this.#mayEdit ??= nameOf(this.#host) === "pi" || EDITORS.some((name) => active.includes(name));
    const wanted = active.filter((name) => !hide.includes(name) && (name !== APPLY || this.mayEdit));
    if (wanted.length !== active.length) await this.#host.setActiveTools(wanted);
  }
}

/** Why a call of a hidden tool is blocked; nothing if it is not. */
export function hiddenReason({ toolName, input }: ToolCallEvent, hide: string[]): string | undefined {
  if (!hide.includes(toolName)) return undefined;
  // omp writes plans and calls mounted tools through URLs; those are no files of the workspace.
  if (isUrl(input.path)) return undefined;
  return `\`${toolName}\` is replaced by ${APPLY}\nhint: use ${APPLY} {"patch":[{"op":"set_line","path":"…","anchor":"LINE:HASH","text":"…"}]}, or {"op":"add_file","path":"…","content":"…"} for a new file`;
}
