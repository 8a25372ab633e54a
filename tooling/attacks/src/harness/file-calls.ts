import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@cogency/protocol";
import { type ToolboxOptions, toolbox } from "@cogency/toolbox";
import { type Approval, createExecutor, createRegistry, type ToolExecution } from "@cogency/tools";

export interface FileCall {
  name: "read" | "write" | "edit" | "list" | "find" | "replace" | "shell";
  args: JsonObject;
}

/** Carries out calls one after another with built-in tools, each allowed unless `approval` says otherwise. */
export async function carryOut(
  calls: readonly FileCall[],
  options: ToolboxOptions,
  approval: Approval = { policy: () => "allow", approve: async () => true },
): Promise<ToolExecution[]> {
  const include = options.include ?? ["read", "write", "edit", "list", "find", "replace"];
  const tools = await toolbox({ ...options, include });
  const executor = createExecutor({ registry: createRegistry(tools), approval });
  const executions: ToolExecution[] = [];
  for (const call of calls) executions.push(...(await executor.run([call], { conversation: "c" })));
  return executions;
}

/** Everything that the model reads of these calls. */
export function toldBy(executions: readonly ToolExecution[]): string {
  return JSON.stringify(executions.map(({ value, error }) => [value ?? null, error?.message ?? null]));
}

/** The content of a folder: a text for each path, which changes with the file. */
export function snapshot(path: string, relative = ""): Map<string, string> {
  const found = new Map<string, string>();
  const place = join(path, relative);
  if (!existsSync(place) && !isLink(place)) return found;
  const stat = lstatSync(place);
  if (stat.isDirectory()) {
    found.set(relative, "folder");
    for (const name of readdirSync(place)) {
      for (const [key, value] of snapshot(path, join(relative, name))) found.set(key, value);
    }
  } else if (stat.isSymbolicLink()) found.set(relative, `link to ${readlinkSync(place)}`);
  else if (stat.isFile()) found.set(relative, createHash("sha256").update(readFileSync(place)).digest("hex"));
  return found;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The paths at which two snapshots differ. */
export function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).map((path) => path || ".");
}
