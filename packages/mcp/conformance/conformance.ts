/**
 * Runs the lists of the conformance suite that a revision of MCP requires, against our server and our client, and prints their totals.
 * With names of lists it runs only those: `node conformance.ts client-2026-07-28`.
 *
 * It fails for each required scenario that did not run, passed nothing, or has a failure or a warning, and for a list of another length.
 */
import { argv, stdout } from "node:process";
import { lists } from "./suite/lists.ts";
import { runList } from "./suite/run-list.ts";

const chosen = argv.slice(2);
const unknown = chosen.find((name) => !lists.some((list) => list.name === name));
if (unknown !== undefined)
  throw new Error(`There is no list ${unknown}. There are ${lists.map(({ name }) => name).join(", ")}.`);

const totals: string[] = [];
for (const list of lists) {
  if (chosen.length > 0 && !chosen.includes(list.name)) continue;
  const { passed, problems } = await runList(list);
  for (const problem of problems) stdout.write(`✗ ${list.name}: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  totals.push(`${list.name}: ${passed} of ${list.scenarios} scenarios`);
  stdout.write(`${totals.at(-1)}\n`);
}
stdout.write(`\n${totals.join("\n")}\n`);
