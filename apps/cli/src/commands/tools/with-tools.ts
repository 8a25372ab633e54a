import { nearestNames } from "@cogency/protocol/options";
import type { Store } from "@cogency/storage";
import { openJobs } from "@cogency/toolbox/shell";
import { createRegistry, type Tool } from "@cogency/tools";
import { UsageError } from "../../base/errors/usage-error.ts";
import { oneLine } from "../../base/terminal/text.ts";
import { madeOwnPaths } from "../../place/own-paths.ts";
import { openStore } from "../../place/store/open-store.ts";
import { openExtensions } from "../../work/extensions/open-extensions.ts";
import { endJobs } from "../../work/jobs.ts";
import { openRootFor, openTools, type ToolOptions } from "../../work/open-tools.ts";

export interface ToolsOptions extends ToolOptions {
  store: string;
}

/**
 * Opens the tools as a run does. `needsStore`: whether they may look into the conversations; otherwise no store is made.
 *
 * @throws UsageError
 */
export async function withTools<Result>(
  options: ToolsOptions,
  needsStore: boolean,
  use: (tools: readonly Tool[]) => Promise<Result>,
): Promise<Result> {
  const root = await openRootFor(options, madeOwnPaths(options.store));
  const store: Store = await openStore(needsStore ? options.store : ":memory:");
  const jobs = openJobs();
  try {
    const [own, extensions] = [await openTools(root, options, store, { jobs }), await openExtensions(options)];
    return await use([...own, ...extensions.tools]);
  } finally {
    await endJobs(jobs);
    await store.close();
  }
}

/** @throws UsageError that names similar ones */
export function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const registry = createRegistry(tools);
  if (registry.has(name)) return registry.get(name);
  const near = nearestNames(name, registry.names());
  const advice =
    near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `The tools are: ${registry.names().join(", ")}.`;
  throw new UsageError(`There is no tool "${oneLine(name, 60)}". ${advice}`);
}
