// Compiled, never run: the extension can be loaded by a program of one's own.

import hashline from "pi-hash/extension";

export const loaded: Promise<void> = hashline({ registerTool() {} });

// @ts-expect-error a host is an object
hashline("pi");
