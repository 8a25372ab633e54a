import type { AgentEvent, LogEvent } from "@cogency/protocol";
import { type Declarations, show } from "@cogency/protocol/testkit";
import {
  type ModelEvent,
  type ModelRequest,
  type Provider,
  type ScriptedProvider,
  type ScriptedReply,
  scripted,
} from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import type { RunOptions } from "../agent-options.ts";
import { createAgent } from "../create-agent.ts";
import type { Driver, RequestSettings } from "../drivers/driver.ts";
import type { RunResult } from "../run.ts";
import type { DriverHarness, DriverReply } from "./harness.ts";
import { type ObservedReading, observed } from "./observed-driver.ts";
import { eventsOf } from "./reply-events.ts";
import { type RanCall, sampleTools } from "./tools.ts";

/** The driver under test, as the cases use it. */
export interface Subject {
  /** What the driver declares that it cannot do. */
  readonly declared: Declarations;
  driver(options?: { callDeltas: boolean }): Driver;
  /** The pieces of a reply, as a model of this driver sends them. */
  write(reply: DriverReply): ModelEvent[];
  /** The same, with calls that the driver must refuse. */
  writeBadly(reply: DriverReply): ModelEvent[];
  /** Runs an agent with this driver, or with another one, whose model gives these replies. */
  play(replies: readonly ScriptedReply[], scene?: Scene): Promise<Played>;
}

/** How an agent of a case runs. */
interface Scene {
  driver?: Driver;
  /** Where the conversation is. Defaults to a new store in memory. */
  store?: Store;
  /** What the conversation begins with, in the new store. */
  log?: readonly LogEvent[];
  /** Undefined recovers the conversation. */
  prompt?: string | undefined;
  stream?: RunOptions["stream"];
  signal?: AbortSignal;
  request?: RequestSettings;
  hasTools?: boolean;
  /** Whether everything that the driver is given throws when it is changed. */
  isFrozen?: boolean;
  /** Called once the model has given so many pieces of its first answer. */
  after?: readonly [pieces: number, act: () => void];
}

export interface Played {
  result: RunResult;
  events: AgentEvent[];
  /** The whole log of the conversation. */
  log: LogEvent[];
  requests: readonly ModelRequest[];
  readings: readonly ObservedReading[];
  offences: readonly string[];
  /** The calls whose bodies ran, in the order in which they began. */
  ran: readonly RanCall[];
}

const conversation = "of-the-kit";
export const system = "You take part in a test.";
const prompt = "Go on.";

export function createSubject(harness: DriverHarness): Subject {
  const driver: Subject["driver"] = (options = { callDeltas: false }) => harness.driver(options);
  return {
    declared: harness.declare ?? {},
    driver,
    write: (reply) => eventsOf(harness.write(reply)),
    writeBadly(reply) {
      if (!harness.writeBadly) throw new Error("The case does not say that it needs `refusals`.");
      return eventsOf(harness.writeBadly(reply));
    },
    play: (replies, scene = {}) => play(replies, { driver: driver(), prompt, ...scene }),
  };
}

async function play(
  replies: readonly ScriptedReply[],
  {
    driver,
    store = memoryStore(),
    log = [],
    request = {},
    hasTools = true,
    isFrozen,
    after,
    ...run
  }: Scene & { driver: Driver },
): Promise<Played> {
  if (log.length > 0) await store.append({ conversation }, log);
  const seen = observed(driver, { isFrozen: isFrozen ?? false });
  const ran: RanCall[] = [];
  const model = scripted(replies, { capabilities: { tools: true, reasoning: true, attachments: ["image"] } });
  const agent = createAgent({
    provider: after ? acting(model, after) : model,
    driver: seen.driver,
    store,
    request,
    instructions: system,
    tools: hasTools ? sampleTools(ran) : [],
  });
  const { stream = "token", signal } = run;
  const options = { conversation, stream, ...(signal && { signal }) };
  const begun = run.prompt === undefined ? agent.recover(options) : agent.run(run.prompt, options);
  const events: AgentEvent[] = [];
  try {
    for await (const event of begun) events.push(structuredClone(event));
  } catch {
    // The result says why.
  }
  const result = await begun.result;
  const { readings, offences } = seen;
  const stored = (await store.load({ conversation })).map(({ seq: _, ...event }) => event as LogEvent);
  return { result, events, log: stored, requests: model.requests, readings, offences, ran };
}

/** The model, which acts after so many pieces of its first answer. */
function acting(model: ScriptedProvider, [pieces, act]: readonly [number, () => void]): Provider {
  return {
    ...model,
    async *stream(request, options) {
      const isFirst = model.requests.length === 0;
      let given = 0;
      for await (const event of model.stream(request, options)) {
        yield event;
        given++;
        if (isFirst && given === pieces) act();
      }
    },
  };
}

/** Fails unless the run ended in this way. */
export function expectStatus({ result, offences }: Played, status: RunResult["status"], what: string): void {
  if (result.status === status) return;
  const why = [...offences, result.error?.message, result.stop?.message].filter(Boolean).join(" ");
  throw new Error(`${what}: the run must end as ${show(status)}, not as ${show(result.status)}. ${why}`);
}

/** The units of a log: its thinking, and its text for the user. */
export function unitsOf(log: readonly LogEvent[]): { type: "think" | "respond"; content: string }[] {
  return log.flatMap((event) =>
    event.type === "think" || event.type === "respond" ? [{ type: event.type, content: event.content }] : [],
  );
}
