// The native binary, loaded once for every module of this package.

import { constants } from "node:buffer";
import { createRequire } from "node:module";
import { load } from "./loader.js";

export const native = load({ require: createRequire(import.meta.url) });

// A longer result is refused before the engine is asked to hold it.
native.setLongestString(constants.MAX_STRING_LENGTH);
