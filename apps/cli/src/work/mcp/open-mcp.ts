import type { Capability } from "@cogency/agent";
import type { ToolSearch } from "@cogency/agent/tool-search";
import type { Tool, ToolSource } from "@cogency/tools";
import { noteOnce } from "../../base/terminal/note.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { FoundServers, PlacedServer } from "../../place/mcp/find-servers.ts";
import { modeOf } from "../../place/rules/mode.ts";
import type { OpenPart } from "../open-part.ts";
import type { PartSources } from "../part-sources.ts";
import type { ServerChoice } from "./server-options.ts";
import type { Servers } from "./servers.ts";
import { stateSentence } from "./state-text.ts";

/** The servers of a run, and what an agent gets of them. */
export interface OpenMcp extends OpenPart {
  /** Undefined if none is configured: nothing was loaded. */
  readonly servers: Servers | undefined;
  readonly found: FoundServers;
  /** The tools of the servers, as they are now. */
  tools(): readonly Tool[];
  /** Undefined without tools of servers. */
  readonly toolSearch?: ToolSearch;
}

/** Makes the client of the servers that count here. Stderr says which are left out, and why. Nothing is connected yet. */
export async function openMcp({ found, options }: Pick<PartSources, "found" | "options">): Promise<OpenMcp> {
  for (const problem of found.problems) noteOnce(oneLine(problem, 600));
  if (found.servers.length === 0 || options.servers === false)
    return { servers: undefined, found, tools: none, capabilities: [] };
  const { servers, close } = await sharedServers(found.servers, options);
  const { mcp } = servers;
  // Nothing will ever tell of one that is not even tried.
  for (const view of servers.views())
    if (view.status === "failed" && !view.isTried) noteOnce(oneLine(stateSentence(view), 500));
  if (mcp === undefined) return { servers, found, tools: none, capabilities: [], close };
  const isReadOnly = modeOf(options) === "read-only";
  const sources = isReadOnly ? mcp.sources.map(readOnlySource) : mcp.sources;
  const tools = (mcp.tools ?? []).filter(({ annotations }) => !isReadOnly || annotations.readOnlyHint === true);
  const { serverSearch } = await import("./server-search.ts");
  return {
    servers,
    found,
    tools: () => sources.flatMap((source) => source.tools()),
    toolSearch: serverSearch(found.findAbove),
    capabilities: [{ ...capabilityOf(mcp), tools, sources }],
    close,
  };
}

const none = () => [];

/** The parts that an agent reads: a client has more. */
function capabilityOf({ name, hooks, history, instructions, instructionsHold }: Capability): Capability {
  return { name, hooks, history, instructions, instructionsHold };
}

/** The tools of a source that change nothing, as the person vouches. */
function readOnlySource(source: ToolSource): ToolSource {
  let [before, kept]: [readonly Tool[] | undefined, readonly Tool[]] = [undefined, []];
  return {
    name: source.name,
    tools() {
      const now = source.tools();
      if (now !== before) [before, kept] = [now, now.filter(({ annotations }) => annotations.readOnlyHint === true)];
      return kept;
    },
    ...(source.ready && { ready: (signal) => source.ready?.(signal) ?? Promise.resolve() }),
    ...(source.notes && { notes: () => source.notes?.() ?? [] }),
  };
}

interface Shared {
  readonly servers: Promise<Servers>;
  users: number;
}

/** Of this process: a chat makes its agent anew, as with another model, and its servers stay connected. */
const shared = new Map<string, Shared>();

async function sharedServers(
  placed: readonly PlacedServer[],
  { root, sandbox }: ServerChoice,
): Promise<{ servers: Servers; close: () => Promise<void> }> {
  const key = JSON.stringify([root, sandbox, placed.map(({ files, ...server }) => [server, [...files]])]);
  const own = shared.get(key) ?? { servers: makeServers(placed, { root, sandbox }), users: 0 };
  shared.set(key, own);
  own.users++;
  const servers = await own.servers;
  return {
    servers,
    async close() {
      own.users--;
      if (own.users > 0) return;
      shared.delete(key);
      await servers.close();
    },
  };

  async function makeServers(...given: [readonly PlacedServer[], ServerChoice]): Promise<Servers> {
    const { makeServers: make } = await import("./servers.ts");
    return make(...given);
  }
}
