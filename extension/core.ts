// The native core. It is loaded when the extension starts, so that a machine without a binary gets
// a message and its host's own tools instead of a host that does not start.

export type Core = typeof import("../index.js");

/** The core, or why there is none. */
export async function loadCore(): Promise<Core | Error> {
  try {
    return await import("../index.js");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
