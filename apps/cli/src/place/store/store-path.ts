import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";

/** The default of `--store`: COGENCY_STORE, else the app's own store. */
export function defaultStore(): string {
  return process.env.COGENCY_STORE || ownStore();
}

/** The store in the app's data folder. */
export function ownStore(): string {
  return join(dataFolder(), "cogency.db");
}

/** The user's data folder of the app, in XDG_DATA_HOME. A relative XDG_DATA_HOME is ignored, as XDG demands. */
export function dataFolder(): string {
  const { XDG_DATA_HOME: data } = process.env;
  return data && isAbsolute(data) ? join(data, "cogency") : join(homedir(), ".cogency");
}

/** Where the prompts that were typed are kept: beside the store; undefined for a store in memory or on a server. */
export function promptFile(store: string): string | undefined {
  return store === ":memory:" || store.includes("://") ? undefined : join(dirname(store), "prompts.jsonl");
}
