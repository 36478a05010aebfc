// Prints the conditions of a measurement: the machine, the processor features that our code uses, and
// the load by other programs.

import { cpus, loadavg, release, type } from "node:os";
import { openNative } from "../../js/loader.js";

/** With a load of more than this for each processor, the machine counts as busy. */
const BUSY = 0.5;

const load = loadavg();
const busy = load[0] > BUSY * cpus().length ? "; busy, so look at the spread" : "";
process.stdout.write(
  [
    `${cpus().length} x ${cpus()[0].model}, ${type()} ${release()}, Node ${process.versions.node}`,
    `CPU path: ${openNative().cpuPath()}`,
    `load: ${load.map((one) => one.toFixed(2)).join(" ")}${busy}`,
    "",
  ].join("\n"),
);
