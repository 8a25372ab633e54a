import type { Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { Tool } from "@cogency/tools";
import type { Project } from "../place/config/open-project.ts";
import type { FoundServers } from "../place/mcp/find-servers.ts";
import type { TextSources } from "../place/texts/find-texts.ts";
import type { OpenExtensions } from "./extensions/open-extensions.ts";
import type { HookChoice } from "./hooks/open-hooks.ts";
import type { MemoryChoice } from "./memory/open-memory.ts";
import type { ToolOptions } from "./open-tools.ts";
import type { ModeControl } from "./plan/open-plan.ts";
import type { ProviderChoice } from "./provider/choose-provider.ts";

/** What parts of the app look at when they are opened. */
export interface PartSources {
  readonly project: Project;
  /** The servers that count. */
  readonly found: FoundServers;
  readonly texts: TextSources;
  readonly options: ToolOptions & ProviderChoice & HookChoice & MemoryChoice;
  readonly store: Store;
  readonly extensions: OpenExtensions;
  /** The tools that the agent has without its parts. */
  readonly tools: readonly Tool[];
  /** What files of the person and the project say. */
  readonly context: string | undefined;
  readonly provider: Provider;
  readonly modes: ModeControl | undefined;
  /** Absolute paths that no program in a sandbox reaches. */
  readonly guarded: readonly string[];
}
