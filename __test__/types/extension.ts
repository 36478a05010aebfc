// Compiled, never run: any program can load the extension.

import hashline from "pi-hash/extension";

export const loaded: Promise<void> = hashline({ registerTool() {} });

// @ts-expect-error a host is an object
hashline("pi");
