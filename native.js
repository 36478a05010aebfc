// The native binary, loaded once for every module of this package.

import { createRequire } from "node:module";
import { load, thisMachine } from "./loader.js";

const require = createRequire(import.meta.url);

export const native = load({
  require,
  version: require("./package.json").version,
  machine: thisMachine(),
});
