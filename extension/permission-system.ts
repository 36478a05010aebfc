// Works with `@gotgenes/pi-permission-system`, if it is loaded: its rules apply to every file of a call.
//
// It checks only one path of a call, so that path is the one with the strictest rule.

import type { Host } from "./host.ts";
import { APPLY } from "./tools/apply.ts";
import { strings } from "./values.ts";

/** The part that we use of the service which the permission system publishes for other extensions. */
interface PermissionService {
  checkPermission(surface: string, value: string): { state: string };
  registerToolAccessExtractor(tool: string, extract: (input: Input) => string | undefined): () => void;
  registerToolInputFormatter(tool: string, format: (input: Input) => string | undefined): () => void;
}

type Input = Record<string, unknown>;

const SERVICE = Symbol.for("@gotgenes/pi-permission-system:service");
const READY = "permissions:ready";
const STRICTNESS = ["allow", "ask", "deny"];

/** Lets the permission system see our patches, now or when it starts; `describe` says what a call would do. */
export function joinPermissionSystem(host: Host, describe: (input: Input) => string | undefined): void {
  const register = () => {
    try {
      service()?.registerToolAccessExtractor(APPLY, ({ paths }) => strictestPath(APPLY, strings(paths)));
      service()?.registerToolInputFormatter(APPLY, describe);
    } catch {
      // The permission system already knows our tool: when one of the two extensions is reloaded, what was registered
      // before stays.
    }
  };
  register();
  host.events?.on(READY, register);
}

/**
 * The path with the strictest rule (the first, if several are equally strict); without a permission system,
 * the first path.
 */
export function strictestPath(tool: string, paths: string[]): string | undefined {
  const rules = service();
  if (!rules) return paths[0];
  const rank = (path: string) => {
    // Only files outside the workspace have absolute names.
    const surfaces = ["path", tool, ...(/^(?:[\\/~]|[A-Za-z]:)/.test(path) ? ["external_directory"] : [])];
    return Math.max(
      ...surfaces.map((surface) => STRICTNESS.indexOf(rules.checkPermission(surface, path).state)),
    );
  };
  const ranks = paths.map(rank);
  return paths[ranks.indexOf(Math.max(...ranks))];
}

function service(): PermissionService | undefined {
  return (globalThis as Record<symbol, unknown>)[SERVICE] as PermissionService | undefined;
}
