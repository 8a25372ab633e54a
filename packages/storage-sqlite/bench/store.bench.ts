import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Target, targetLine } from "@tooling/bench";
import { appending } from "./appending.ts";
import { lastEvents } from "./last-events.ts";
import { live } from "./live.ts";
import { loading } from "./loading.ts";
import { messaging } from "./messaging.ts";
import { opening } from "./opening.ts";
import { searching } from "./searching.ts";
import { watching } from "./watching.ts";

/**
 * Compares the store with the fewest node:sqlite statements that do the same work, and shows which costs do not grow.
 */
const folder = mkdtempSync(join(tmpdir(), "cogency-bench-"));
const targets: Target[] = [];
try {
  console.log(`Node ${process.version}, SQLite ${process.versions.sqlite}\n`);
  for (const measure of [appending, loading, lastEvents, opening, searching, messaging, watching, live])
    targets.push(...(await measure(folder)));
} finally {
  rmSync(folder, { recursive: true });
}
for (const target of targets) console.log(targetLine(target));
