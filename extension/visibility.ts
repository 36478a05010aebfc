// Which tools the agent is offered: ours instead of the host's editing tools.
//
// The host's editing tools are hidden, and calls of one that comes back are blocked, but only while apply_hash is
// offered: an agent that cannot have it keeps its own tools. An agent that had no editing tool when it started, such as
// omp's scout, does not get one from us.

import { type Context, type Host, nameOf, type ToolCallEvent } from "./host.ts";
import { APPLY } from "./tools/apply.ts";

const EDITORS = ["edit", "write", "apply_patch"];
const OURS = ["read", "grep", APPLY];

const WHY_NOT_OFFERED = `${APPLY} is not among the tools of this session (--tools, --exclude-tools or a setting of the host), so the host's own editing tools stay and shell commands may write files`;

export class Visibility {
  readonly #host: Host;
  #mayEdit: boolean | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Whether the agent is offered a tool. */
  offers(name: string): boolean {
    return this.#host.getActiveTools().includes(name);
  }

  /**
   * Hides the host's tools and offers ours in their place. Cheap enough to call before every run of the agent.
   * Returns a warning for the person, if there is one.
   */
  async update(hide: string[], context: Context): Promise<string | undefined> {
    const active = this.#host.getActiveTools();
    if (noTools(this.#host)) {
      await this.#offer(active.filter((name) => !OURS.includes(name)));
      return undefined;
    }
    // Decide only once: afterwards the editing tools are missing because we hid them.
    this.#mayEdit ??= this.#editsAtStart(active, context);
    const mayEdit = this.#mayEdit;
    const kept = active.filter((name) => !hide.includes(name) && (name !== APPLY || mayEdit));
    // If something, such as another extension's preset, selected the host's editing tools, offer ours
    // instead.
    const known = new Set(this.#host.getAllTools().map(({ name }) => name));
    const replaced = mayEdit && kept.length < active.length ? OURS : [];
    await this.#offer([...kept, ...replaced.filter((name) => known.has(name) && !kept.includes(name))]);
    if (!mayEdit || this.offers(APPLY) || !active.some((name) => hide.includes(name))) return undefined;
    // The host does not let us offer apply_hash, so give the agent its own tools back.
    await this.#offer(active);
    return WHY_NOT_OFFERED;
  }

  async #offer(names: string[]): Promise<void> {
    if (names.join() !== this.#host.getActiveTools().join()) await this.#host.setActiveTools(names);
  }

  /** Whether the agent may change files, by the tools that it starts with. */
  #editsAtStart(active: string[], context: Context): boolean {
    const asked = EDITORS.some((name) => active.includes(name)) || namedByUser() || onlyExtensions();
    return asked || this.#wasResumed(active, context);
  }

  /** Whether pi has resumed a session and restored the tools that it had, ours among them. */
  #wasResumed(active: string[], { sessionManager }: Context): boolean {
    const hasMessages = (sessionManager.getBranch?.() ?? []).some(({ type }) => type === "message");
    return nameOf(this.#host) === "pi" && hasMessages && active.includes(APPLY);
  }
}

/**
 * Whether the person switched all tools off. pi then removes ours, too; omp still offers tools of extensions.
 * In both hosts `--tools` overrules `--no-tools`.
 */
function noTools(host: Host): boolean {
  const flags = process.argv.map((argument) => argument.split("=", 1)[0]);
  return nameOf(host) === "omp" && flags.includes("--no-tools") && !flags.includes("--tools");
}

/** Whether the person allows only tools of extensions, so that ours is the only editor. */
function onlyExtensions(): boolean {
  return ["--no-builtin-tools", "-nbt"].some((flag) => process.argv.includes(flag));
}

/** Whether the person chose apply_hash by name, as in `--tools read,apply_hash`. */
function namedByUser(): boolean {
  return process.argv.some((argument) => argument.split(/[=,]/).includes(APPLY));
}

const URL_LIKE = /^[a-z][a-z0-9+.-]+:\/\//i;

/** Why a call is blocked because its tool is hidden; undefined if it may run. */
export function hiddenReason({ toolName, input }: ToolCallEvent, hide: string[]): string | undefined {
  if (!hide.includes(toolName)) return undefined;
  // omp uses URLs for plans and mounted tools, which are not files of the workspace. The URL of a conflict is
  // an exception: it names the file with the conflict.
  const { path } = input;
  if (
    toolName === "write" &&
    typeof path === "string" &&
    URL_LIKE.test(path) &&
    !/^(file|conflict):/i.test(path)
  ) {
    return undefined;
  }
  return `\`${toolName}\` is replaced by ${APPLY}\nhint: use ${APPLY} {"patch":[{"op":"set_line","path":"…","anchor":"LINE:HASH","text":"…"}]}, or {"op":"add_file","path":"…","content":"…"} for a new file`;
}
