import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode, type ServerContext } from "@modelcontextprotocol/server";
import { agentTool } from "./agent/agent-tool.ts";
import { type RequestStates, requestStates } from "./asking/request-state.ts";
import type { McpCaller, McpOffer, McpServerLimits } from "./offer.ts";
import type { McpOfferedPrompt } from "./prompts/offered-prompt.ts";
import type { McpResources } from "./resources/offered-resources.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";
import { toolCaller } from "./tools/call-tool.ts";
import { type OfferedTools, offeredTools } from "./tools/offered-tools.ts";

/** What an offer comes to, with its defaults. */
export interface Offered {
  readonly about: { readonly name: string; readonly version: string };
  readonly instructions: string | undefined;
  readonly tools: OfferedTools;
  readonly callTool: ReturnType<typeof toolCaller>;
  readonly tasks: Tasks;
  /** Names of the tools that run as tasks. */
  readonly asTasks: ReadonlySet<string>;
  readonly prompts: (() => readonly McpOfferedPrompt[]) | undefined;
  readonly resources: McpResources | undefined;
  readonly states: RequestStates;
  readonly limits: Limits;
  onError(error: Error): void;
  /**
   * Runs a call of this caller.
   *
   * @throws ProtocolError if too many of them run
   */
  inTurn(caller: McpCaller | undefined, call: () => Promise<CallOutcome>): Promise<CallOutcome>;
}

type CallOutcome = CallToolResult | InputRequiredResult;

export type Limits = { readonly [Limit in keyof McpServerLimits]-?: NonNullable<McpServerLimits[Limit]> };

const usual: Limits = {
  messageBytes: 4 * 1024 * 1024,
  batch: 20,
  depth: 64,
  body: 30_000,
  sessionsPerUser: 32,
  sessions: 1000,
  idle: 30 * 60_000,
  calls: 32,
  tasksPerUser: 100,
  tasks: 1000,
  taskTtl: 60 * 60_000,
  unreadBytes: 4 * 1024 * 1024,
  answer: 10 * 60_000,
};

/** @throws ToolError for a name of a tool that appears twice */
export function offeredBy(offer: McpOffer): Offered {
  const { name = "cogency", version = "0.0.0", prompts, agent, limits = {} } = offer;
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  const all: Limits = { ...usual, ...Object.fromEntries(given) };
  const onError = reporter(offer.onError);
  const agentTools = agent ? [agentTool(agent)] : [];
  return {
    about: { name, version },
    instructions: offer.instructions,
    tools: offeredTools(offer.tools, offer.registry, agentTools, onError),
    callTool: toolCaller(offer.execution),
    tasks: createTasks(all),
    asTasks: new Set(offer.tasks ?? agentTools.map((tool) => tool.name)),
    prompts: typeof prompts === "function" ? prompts : prompts && (() => prompts),
    resources: offer.resources,
    states: requestStates(offer.secret ?? crypto.getRandomValues(new Uint8Array(32)), userOf),
    limits: all,
    onError,
    inTurn: turns(all.calls),
  };
}

/** The user whom `authenticate` has named, as it travels with a request. */
function userOf({ http }: Pick<ServerContext, "http">): string {
  const user = http?.authInfo?.extra?.user;
  return typeof user === "string" ? user : "";
}

function reporter(onError: McpOffer["onError"]): (error: Error) => void {
  return (error) => {
    try {
      onError?.(error);
    } catch {
      // As `McpOffer` says.
    }
  };
}

function turns(most: number): Offered["inTurn"] {
  const running = new Map<string, number>();
  return async (caller, call) => {
    const user = caller?.user ?? "";
    const before = running.get(user) ?? 0;
    if (before >= most) {
      throw new ProtocolError(ProtocolErrorCode.InternalError, `${most} calls run already. Wait until one has ended.`);
    }
    running.set(user, before + 1);
    try {
      return await call();
    } finally {
      const now = (running.get(user) ?? 1) - 1;
      if (now === 0) running.delete(user);
      else running.set(user, now);
    }
  };
}
