// The native binary, loaded once for every module of this package.

import { createRequire } from "node:module";
import { load } from "./loader.js";

export const native = load({ require: createRequire(import.meta.url) });
