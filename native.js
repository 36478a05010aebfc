import { createRequire } from "node:module";

export const native = createRequire(import.meta.url)("./hashline.linux-x64-gnu.node");
