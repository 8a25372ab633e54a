/**
 * Our client as others judge it.
 *
 * - `node client.ts URL`: connects, lists, and calls what `MCP_CONFORMANCE_CONTEXT` names, else the first tool
 * - `node client.ts CALLS.json COMMAND ARGS…`: starts a server, makes the calls of a file, and prints one line of JSON
 */
import { argv, exit, stderr } from "node:process";
import { callAtAddress } from "./client/at-address.ts";
import { callProgram } from "./client/program-calls.ts";

const [target = "", ...command] = argv.slice(2);
try {
  if (/^https?:/.test(target)) await callAtAddress(target);
  else await callProgram(target, command);
} catch (error) {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
}
