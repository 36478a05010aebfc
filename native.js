// The native binary, loaded once for every module of this package.

import { constants } from "node:buffer";
import { createRequire } from "node:module";
import { load, thisMachine } from "./loader.js";

const require = createRequire(import.meta.url);

export const native = load({
  require,
  version: require("./package.json").version,
  machine: thisMachine(),
});

// A longer result is refused before the engine is asked to hold it.
native.setLongestString(constants.MAX_STRING_LENGTH);
