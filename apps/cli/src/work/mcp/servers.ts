import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mcp, McpEvent, McpServerOptions, McpServerState } from "@cogency/mcp";
import { redacted } from "../../base/errors/redacted.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { PlacedServer } from "../../place/mcp/find-servers.ts";
import { hasOwnLogin, isProgram, type ServerEntry } from "../../place/mcp/server-entry.ts";
import { type ServerLog, serverLog } from "./server-log.ts";
import type { ServerChoice } from "./server-options.ts";
import { tellingLine } from "./telling-line.ts";

/** A server as a person sees it: also one that is not even tried. */
export interface ServerView extends Omit<McpServerState, "status"> {
  readonly status: McpServerState["status"] | "disabled";
  /** `yours`, or the file of the project that names it. */
  readonly place: string;
  /** False for one that is switched off, or that lacks what it is started or reached with, such as a variable. */
  readonly isTried: boolean;
}

/** The servers of a run, connected when they are first needed. */
export interface Servers {
  /** Undefined if none of them can be tried. */
  readonly mcp: Mcp | undefined;
  /** As they are now, in the order of the configuration. */
  views(): readonly ServerView[];
  /** Calls `listener` with each change of a state. Returns a function that ends that. */
  onChange(listener: (view: ServerView) => void): () => void;
  close(): Promise<void>;
}

/** Makes the client of servers. Nothing is started or reached before an agent, or `mcp.connect`, needs it. */
export async function makeServers(placed: readonly PlacedServer[], choice: ServerChoice): Promise<Servers> {
  const [{ mcp: client }, { serverOptions }] = await Promise.all([
    import("@cogency/mcp"),
    import("./server-options.ts"),
  ]);
  const options: Record<string, McpServerOptions> = {};
  const reasons = new Map<string, string>();
  const logs = new Map<string, ServerLog>();
  const ownLogins = new Set(placed.filter(hasLoginHeader).map(({ name }) => name));
  /** What each has written since it was last started. */
  const lines = new Map<string, string[]>();
  const startedAnew = new Set<string>();
  /** Why servers were not there when they were last tried. */
  const lastFailures = new Map<string, McpServerState>();
  const listeners = new Set<(view: ServerView) => void>();
  for (const server of placed.filter(({ entry }) => entry.disabled !== true)) {
    const made = await serverOptions(server, choice);
    if ("reason" in made) reasons.set(server.name, made.reason);
    else options[server.name] = made.options;
    logs.set(server.name, serverLog(server.name, server.folder));
  }
  const placeOf = (name: string) => placed.find((server) => server.name === name)?.place ?? "";
  /** Why a program ended, it says itself. One that is tried again is away until it is there. */
  const withLastLine = (now: McpServerState): McpServerState => {
    if (now.status === "needs_login" && ownLogins.has(now.name))
      return { ...now, status: "failed", reason: keyRefused };
    const state = now.status === "connecting" ? (lastFailures.get(now.name) ?? now) : now;
    const line = tellingLine(lines.get(state.name) ?? []);
    const isGone = state.kind === "program" && (state.status === "waiting" || state.status === "failed");
    return isGone && line !== undefined
      ? { ...state, reason: `${state.reason ?? ""} It wrote: ${line.replace(/[^.!?…]$/, "$&.")}`.trim() }
      : state;
  };
  const observer = (event: McpEvent) => {
    if (event.type === "log") {
      logs.get(event.server)?.add(event.level, event.text);
      const written = startedAnew.delete(event.server) ? [] : (lines.get(event.server) ?? []);
      lines.set(event.server, [...written, oneLine(redacted(event.text), 200)].slice(-mostLines));
    }
    if (event.type !== "state") return;
    const { name, status, reason } = event.state;
    if (status === "connecting") startedAnew.add(name);
    if (status === "waiting" || status === "failed") lastFailures.set(name, event.state);
    else if (status !== "connecting") lastFailures.delete(name);
    logs.get(name)?.add("state", [status, ...(reason === undefined ? [] : [reason])].join(": "));
    for (const listener of listeners) listener({ ...withLastLine(event.state), place: placeOf(name), isTried: true });
  };
  const folder = { uri: pathToFileURL(resolve(choice.root)).href };
  const mcp = Object.keys(options).length === 0 ? undefined : client({ servers: options, roots: [folder], observer });
  return {
    mcp,
    views() {
      const states = new Map(mcp?.servers().map((state) => [state.name, withLastLine(state)]));
      return placed.map((server) => {
        const tried = states.get(server.name);
        const state = tried ?? untried(server, reasons.get(server.name));
        return { ...state, place: server.place, isTried: tried !== undefined };
      });
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => mcp?.close(),
  };
}

/** Lines of a server that are kept. */
const mostLines = 20;

const keyRefused = "The server refuses what the header Authorization of its configuration says.";

function hasLoginHeader({ entry }: PlacedServer): boolean {
  return !isProgram(entry) && hasOwnLogin(entry.headers);
}

function untried({ name, entry }: PlacedServer, reason: string | undefined): Omit<ServerView, "place" | "isTried"> {
  return {
    name,
    status: entry.disabled === true ? "disabled" : "failed",
    reason,
    kind: isProgram(entry) ? "program" : "http",
    identity: whereText(entry),
    tools: [],
    prompts: [],
    resources: 0,
    problems: [],
  };
}

/** A command line or an address, as the configuration has it: with the names of variables, and without what they hold. */
function whereText(entry: ServerEntry): string {
  return oneLine(isProgram(entry) ? [entry.command, ...(entry.args ?? [])].join(" ") : entry.url, 400);
}
