#!/usr/bin/env node
"use strict";
// The only file that an older Node reads, so it is written in JavaScript that any Node understands.
var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
  console.error(
    "error: cogency needs Node 22.19 or newer, and this is Node " +
      process.versions.node +
      ".\nInstall a newer Node (https://nodejs.org), or run cogency with one that you have.",
  );
  process.exitCode = 1;
} else {
  require("../dist/start.cjs");
}
