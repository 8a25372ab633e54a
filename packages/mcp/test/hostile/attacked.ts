import { createAgent, type RunResult } from "@cogency/agent";
import { type ScriptStep, scriptedDriver } from "@cogency/agent/scripted";
import { type JsonObject, type LogEvent, parseResults } from "@cogency/protocol";
import { memoryStore } from "@cogency/storage";
import type { AnswerRequest, ApprovalRequest, Tool } from "@cogency/tools";
import {
  type Connector,
  http,
  type Mcp,
  type McpEvent,
  type McpOptions,
  type McpServerOptions,
  mcp,
} from "../../src/index.ts";
import type { Behaviour } from "./behaviour.ts";
import { type HostileHttp, type HostileHttpOptions, hostileHttp } from "./hostile-http.ts";

/** What the host has given to the hostile server, and nobody else may see. */
export const secret = "sk-top-secret-0123456789";

export interface Attack extends HostileHttpOptions {
  /** Over HTTP. */
  readonly behaviour?: Behaviour | undefined;
  /** Instead of `behaviour`: another way to a hostile server. */
  readonly connector?: Connector | undefined;
  /** The calls of the hostile server's tools in each step, by their names. Defaults to `evil__echo` in one step. */
  readonly steps?: readonly (readonly (string | { name: string; args: JsonObject })[])[] | undefined;
  /** Happens before the model answers the step of this number, from 1. */
  readonly beforeStep?: ((step: number, server: HostileHttp, servers: Mcp) => Promise<void> | void) | undefined;
  readonly server?: Partial<McpServerOptions> | undefined;
  readonly mcp?: Partial<McpOptions> | undefined;
  /** Tools of the agent itself. */
  readonly tools?: readonly Tool[] | undefined;
  /** Answers questions of the server. Without it nobody answers. */
  readonly answer?: ((request: AnswerRequest) => unknown) | undefined;
}

export interface Seen {
  readonly result: RunResult;
  /** The results of calls, in their order; that of the honest server is checked and left out. */
  readonly results: readonly { tool: string; status: string; content: string }[];
  /** What the model read, as JSON. */
  readonly model: string;
  /** The definitions that the first step offered, by their names. */
  readonly offered: ReadonlyMap<string, { description: string; parameters: unknown }>;
  /** The calls that a person was asked about. */
  readonly asked: readonly ApprovalRequest[];
  /** The questions of servers that a person was asked. */
  readonly questions: readonly AnswerRequest[];
  /** What `mcp` told of the hostile server. */
  readonly events: readonly McpEvent[];
  readonly states: ReturnType<Mcp["servers"]>;
  readonly problems: readonly string[];
  readonly log: readonly LogEvent[];
  readonly hostile: HostileHttp | undefined;
}

/**
 * A run of an agent that has a hostile server and an honest one. It fails if the run does not end, if the honest server did not work
 * through all of it, or if the secret is anywhere but at the hostile server.
 */
export async function attacked(attack: Attack): Promise<Seen> {
  const { behaviour = {}, steps = [["evil__echo"]], beforeStep, tools = [], answer } = attack;
  const hostile = attack.connector ? undefined : await hostileHttp(behaviour, attack);
  const good = await hostileHttp({});
  const events: McpEvent[] = [];
  const own = hostile && http({ url: hostile.url, headers: { authorization: `Bearer ${secret}` } });
  const servers = mcp({
    ...attack.mcp,
    servers: {
      evil: {
        connector: attack.connector ?? (own as Connector),
        timeouts: { connect: 20_000, call: 20_000 },
        ...attack.server,
      },
      good: { connector: http({ url: good.url }) },
    },
    observer: (event) => events.push(event),
  });
  const calls = (names: (typeof steps)[number]): ScriptStep => ({
    calls: names.map((each) => (typeof each === "string" ? { name: each, args: {} } : each)),
  });
  const script = scriptedDriver([...steps.map(calls), { calls: [{ name: "good__echo", args: {} }] }, "Done."]);
  const asked: ApprovalRequest[] = [];
  const questions: AnswerRequest[] = [];
  const store = memoryStore();
  let step = 0;
  const agent = createAgent({
    driver: script.driver,
    provider: {
      ...script.provider,
      async *stream(...request) {
        step += 1;
        if (hostile) await beforeStep?.(step, hostile, servers);
        yield* script.provider.stream(...request);
      },
    },
    store,
    tools,
    execution: {
      approval: {
        content: "allow",
        approve(request) {
          if (request.tool.name !== "good__echo") asked.push(request);
          return true;
        },
      },
    },
  }).use(servers);
  try {
    await servers.connect();
    const result = await agent.ask("go", {
      conversation: "c",
      ...(answer && {
        answer(request: AnswerRequest) {
          questions.push(request);
          return answer(request);
        },
      }),
    });
    const log = await store.load({ conversation: "c" });
    const batches = log.flatMap((event) => (event.type === "result" ? [parseResults(event.content) ?? []] : []));
    const states = servers.servers();
    const model = JSON.stringify(script.requests);
    if (result.status !== "completed")
      throw new Error(`The run ended otherwise: ${JSON.stringify(result)}`, {
        cause: (result as { error?: Error }).error,
      });
    checkHonest(batches.at(-1));
    checkSecret({ model, log, states, events });
    return {
      result: result as RunResult,
      results: batches.slice(0, -1).flat() as never,
      model,
      offered: new Map((script.requests[0]?.tools ?? []).map((spec) => [spec.name, spec as never])),
      asked,
      questions,
      events: events.filter((event) => (event.type === "state" ? event.state.name : event.server) === "evil"),
      states,
      problems: states.find(({ name }) => name === "evil")?.problems ?? [],
      log,
      hostile,
    };
  } finally {
    await servers.close();
    await Promise.all([hostile?.close(), good.close()]);
  }
}

function checkHonest(results: readonly unknown[] | undefined): void {
  const text = JSON.stringify(results ?? []);
  if (!text.includes('"success"') || !text.includes("honest"))
    throw new Error(`The honest server did not work: ${text}`);
}

function checkSecret(places: object): void {
  for (const [name, value] of Object.entries(places)) {
    if (JSON.stringify(value).includes(secret)) throw new Error(`The secret is in the ${name}.`);
  }
}
