import { nearestNames } from "@cogency/protocol/options";
import { UsageError } from "../../base/errors/usage-error.ts";
import { counted, oneLine } from "../../base/terminal/text.ts";
import type { OpenMcp } from "../../work/mcp/open-mcp.ts";
import { serverRows } from "../../work/mcp/server-rows.ts";
import type { Servers, ServerView } from "../../work/mcp/servers.ts";
import { stateText } from "../../work/mcp/state-text.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import type { SlashCommand } from "./slash-command.ts";

/** `/mcp` */
export const mcpCommand: SlashCommand = {
  name: "mcp",
  argument: "[name|reconnect name|login name]",
  help: "the MCP servers, how each is, and why; all about one; connect to one again; log in to one",
  anytime: true,
  async complete({ session }) {
    const names = (await session.open()).mcp.found.servers.map(({ name }) => name);
    return [...names, "reconnect", "login"];
  },
  async run({ session, view }, argument) {
    const { servers, found } = (await session.open()).mcp;
    const [, verb, name] = /^(?:(reconnect|login)(?:\s+|$))?(\S*)$/.exec(argument) ?? [];
    if (name === undefined || (verb !== undefined && name === ""))
      throw new UsageError("Write /mcp, /mcp <name>, /mcp reconnect <name> or /mcp login <name>.");
    if (servers === undefined) return tellNone(found, view);
    if (verb === undefined && name === "") return listAll(servers, found, view);
    const state = viewOf(servers, name);
    if (verb === undefined) return showOne(state, view);
    if (verb === "login") await logInTo(state.name, found, view);
    return reconnect(servers, state, view);
  },
};

function tellNone({ ignored, problems }: OpenMcp["found"], view: ConversationView): void {
  for (const problem of problems) view.remark(problem, "warning");
  if (ignored.length > 0)
    view.remark(
      `This folder names ${counted(ignored.length, "server")} (${ignored.join(", ")}), and is not trusted: nothing of them was started or reached. To look at them: cogency trust`,
    );
  else view.remark("There are no servers here. To add one, outside of the chat: cogency mcp add <name> -- <command>");
}

async function listAll(servers: Servers, { problems }: OpenMcp["found"], view: ConversationView): Promise<void> {
  await connectedFor(servers);
  const views = servers.views();
  view.list(views.map((one) => [one.name, oneLine(`${stateText(one, Date.now())} · ${one.place}`, 500)]));
  for (const problem of problems) view.remark(problem, "warning");
  const failing = views.filter(isAway);
  if (failing.length > 0) view.remark(adviceFor(failing.length === 1 ? (failing[0]?.name ?? "") : "<name>"));
}

function showOne(state: ServerView, view: ConversationView): void {
  view.list(serverRows(state, Date.now()));
  for (const problem of state.problems) view.remark(oneLine(problem, 400), "warning");
  if (isAway(state)) view.remark(adviceFor(state.name));
}

function isAway({ status, isTried }: ServerView): boolean {
  return isTried && (status === "waiting" || status === "failed");
}

function adviceFor(name: string): string {
  return `To try it again now: /mcp reconnect ${name}. Its log: cogency mcp logs ${name}, outside of the chat.`;
}

async function reconnect(servers: Servers, { name }: ServerView, view: ConversationView): Promise<void> {
  await servers.mcp?.connect({ servers: [name] });
  view.remark(`${name}: ${stateText(viewOf(servers, name), Date.now())}`);
}

/** Nothing opens a browser but a person who asks for it. @throws UsageError, LoginError */
async function logInTo(name: string, { servers }: OpenMcp["found"], view: ConversationView): Promise<void> {
  const server = servers.find((one) => one.name === name);
  const [{ loginAddress }, { loginFor }, { logIn }] = await Promise.all([
    import("../../work/mcp/server-options.ts"),
    import("../../work/mcp/login.ts"),
    import("../../work/mcp/log-in.ts"),
  ]);
  const address = server && (await loginAddress(server));
  if (address === undefined || "reason" in address)
    throw new UsageError(oneLine(`The server ${name} takes no login: ${address?.reason ?? "it is gone."}`, 400));
  await logIn(loginFor(address.url), (line) => view.remark(line), AbortSignal.timeout(loginPatience));
}

/** Milliseconds that the person has in the browser. */
const loginPatience = 300_000;

/** What is not connected yet may be in a moment. */
async function connectedFor({ mcp }: Servers): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patience);
  await Promise.race([mcp?.connect(), promise]);
  clearTimeout(timer);
}

/** Milliseconds. */
const patience = 2000;

function viewOf(servers: Servers, name: string): ServerView {
  const views = servers.views();
  const found = views.find((one) => one.name === name);
  if (found) return found;
  const [nearest] = nearestNames(
    name,
    views.map((one) => one.name),
  );
  const advice = nearest === undefined ? "/mcp shows those that there are." : `Did you mean ${nearest}?`;
  throw new UsageError(`There is no server "${oneLine(name, 60)}". ${advice}`);
}
