import type { HookProgram } from "@cogency/hook-programs";
import type { McpSettings } from "../mcp/server-entry.ts";
import type { SettingName } from "./option-table.ts";

/** The values of some keys, checked; paths in them are absolute. */
export type Values = { readonly [name in SettingName]?: unknown };

/** A file of configuration, or what it says if there is none. */
export interface Config {
  /** Where it stands. */
  readonly file: string;
  readonly values: Values;
  readonly profiles: { readonly [name: string]: Values };
  readonly hooks: readonly HookProgram[];
  readonly mcp?: McpSettings;
  /** Of a configuration that does not count: it holds only what protected when a person last looked. */
  readonly kept?: Kept;
}

export interface Kept {
  /** The profile that it chose. What protects of this one counts, and nothing else. */
  readonly profile?: string | undefined;
}
