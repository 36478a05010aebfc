// The native core. It is imported dynamically, so that on a machine without a binary the host still starts, with its
// own tools and a message.

export type Core = typeof import("../index.js");

/** The core, or the error that kept it from loading. */
export async function loadCore(): Promise<Core | Error> {
  try {
    return await import("../index.js");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
