import { createRequire } from "node:module";

/** The addon built for this platform. */
export const native = createRequire(import.meta.url)("./hashline.linux-x64-gnu.node");
