#!/usr/bin/env node
// Runs the program `hashline`, which is in the native binary.

const { runProgram } = require("../hashline.freebsd-x64.node");

process.exitCode = runProgram([process.execPath, __filename], process.argv.slice(2));
