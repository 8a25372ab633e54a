import { mkdir } from "node:fs/promises";
import type { Store } from "@cogency/storage";
import { createRegistry, nearestNames, type Tool } from "@cogency/tools";
import { UsageError } from "../../errors/usage-error.ts";
import { configurationFolder } from "../../setup/configuration-folder.ts";
import { openRootFor, openTools, type ToolOptions } from "../../setup/open-tools.ts";
import { openStore } from "../../setup/store/open-store.ts";
import { databaseFiles } from "../../setup/store/store-files.ts";
import { oneLine } from "../../terminal/text.ts";

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
  const folder = configurationFolder();
  // The sandbox would put a file in the place of a guarded folder that does not exist.
  await mkdir(folder, { mode: 0o700, recursive: true }).catch(() => {});
  const root = await openRootFor(options, [...databaseFiles(options.store), folder]);
  const store: Store = await openStore(needsStore ? options.store : ":memory:");
  try {
    return await use(await openTools(root, options, store));
  } finally {
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
