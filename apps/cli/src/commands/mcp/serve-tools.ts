import { serveStdio } from "@cogency/mcp/node";
import { mcpServer } from "@cogency/mcp/server";
import { nodeListener } from "@cogency/server/node";
import { commandsEnded } from "@cogency/toolbox/shell";
import { version } from "../../../package.json";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { complain } from "../../base/errors/message-of.ts";
import { note } from "../../base/terminal/note.ts";
import { createApproval } from "../../person/approval/approval.ts";
import { openProject } from "../../place/config/open-project.ts";
import { madeOwnPaths } from "../../place/own-paths.ts";
import { keptRules } from "../../place/rules/kept-rules.ts";
import { openStore } from "../../place/store/open-store.ts";
import { listen } from "../../serve/listen.ts";
import { isSame, randomText } from "../../serve/secret-text.ts";
import { openExtensions } from "../../work/extensions/open-extensions.ts";
import { openRootFor, openTools } from "../../work/open-tools.ts";
import { surroundingsOf } from "../../work/surroundings.ts";
import type { ToolsOptions } from "../tools/with-tools.ts";

export interface ServeOptions extends ToolsOptions {
  readonly allow?: readonly string[] | undefined;
  /** The port of 127.0.0.1; stdin and stdout if absent. */
  readonly http?: number;
}

type Server = ReturnType<typeof mcpServer>;

/**
 * `cogency mcp serve`: offers the tools over a folder, until the client leaves or it is cancelled. Without `allow` only those that change
 * nothing. What rules of files ask about or deny stays so; what they allow does not count here.
 *
 * @returns the exit code
 * @throws UsageError for a root, a rule or a port that cannot be used
 */
export async function serveTools(options: ServeOptions, cancellation: Cancellation): Promise<number> {
  const { allow, http } = options;
  const token = process.env[tokenVariable]?.trim() || randomText();
  const chosen = { ...options, ...(allow === undefined && { readOnly: true as const }) };
  const root = await openRootFor(chosen, madeOwnPaths(options.store));
  const store = await openStore(":memory:");
  try {
    const all = await openTools(root, chosen, store);
    const tools = options.tools === undefined ? all.filter(({ name }) => isOffered(name, allow)) : all;
    const extensions = await openExtensions(chosen);
    const surroundings = await surroundingsOf(root, chosen, { tools: extensions.tools, servers: [] });
    const { now, ...kept } = keptRules(await openProject(options.root), surroundings);
    const withoutAllow = { ...kept, now: () => ({ ...now(), allow: [] }) };
    const { policy, content } = createApproval({ ...(allow && { allow }) }, surroundings, undefined, withoutAllow);
    await using server = mcpServer({
      tools: [...tools, ...extensions.tools],
      name: "cogency",
      version,
      execution: { approval: { policy, content } },
      ...(http !== undefined && {
        authenticate: (request) => (isLetIn(request, token) ? { user: "owner" } : undefined),
      }),
      onError: complain,
    });
    return (
      (await cancellation.during((signal) =>
        http === undefined ? overStdio(server, signal) : overHttp(server, http, token, signal),
      )) ?? cancellation.exitCode
    );
  } finally {
    await store.close();
    await commandsEnded();
  }
}

/** The tools for a folder, and others that `allow` names. */
function isOffered(name: string, allow: readonly string[] = []): boolean {
  if (ofConversations.has(name)) return false;
  return !ofWeb.has(name) || allow.some((rule) => rule === name || rule.startsWith(`${name}:`));
}

/** Tools that look into a conversation, and here is none. */
const ofConversations: ReadonlySet<string> = new Set(["recall", "read_result"]);
/** Tools that reach beyond the folder without a question. */
const ofWeb: ReadonlySet<string> = new Set(["scrape", "search"]);

async function overStdio(server: Server, signal: AbortSignal): Promise<number> {
  if (process.stdin.isTTY)
    note("An MCP server, for a program that speaks to it over stdin and stdout. Ctrl-C ends it.");
  const { closed } = serveStdio(server);
  await Promise.race([closed, aborted(signal)]);
  return exitCodes.done;
}

/** Other users of this machine reach the port, too. */
function isLetIn(request: Request, token: string): boolean {
  return isSame(request.headers.get("authorization") ?? "", `Bearer ${token}`);
}

/** Holds a token that stays the same, for the configuration of a client. */
const tokenVariable = "COGENCY_MCP_TOKEN";

async function overHttp(server: Server, port: number, token: string, signal: AbortSignal): Promise<number> {
  const { server: listening, host } = await listen(port, "--http");
  const answer = nodeListener((request) =>
    new URL(request.url).pathname === "/mcp"
      ? server.handler(request)
      : Promise.resolve(new Response(null, { status: 404 })),
  );
  listening.on("request", answer);
  process.stderr.write(`http://${host}/mcp\n`);
  if (!process.env[tokenVariable]?.trim()) process.stderr.write(`Authorization: Bearer ${token}\n`);
  note("Ctrl-C ends it.");
  try {
    await aborted(signal);
  } finally {
    listening.close();
    listening.closeAllConnections();
  }
  return exitCodes.done;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
