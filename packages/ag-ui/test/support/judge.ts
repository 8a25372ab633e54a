import {
  type AgentStateMutation,
  type BaseEvent,
  defaultApplyEvents,
  enforceEvents,
  HttpAgent,
  type Message,
  verifyEvents,
} from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { from, lastValueFrom, toArray } from "rxjs";
import type { AgUiEvent, AgUiState } from "../../src/index.ts";

/** What the judges of AG-UI find: the schema of every event, `enforceEvents` and `verifyEvents`. */
export async function faultsOfJudges(events: readonly AgUiEvent[]): Promise<string[]> {
  const schema = events.flatMap((event) => {
    const { error } = EventSchemas.safeParse(event);
    return error ? `schema: ${event.type}: ${error.issues[0]?.message}` : [];
  });
  const enforced = await judged(events, "enforceEvents", enforceEvents());
  return [...schema, ...enforced, ...(await judged(events, "verifyEvents", verifyEvents()))];
}

async function judged(
  events: readonly AgUiEvent[],
  name: string,
  judge: ReturnType<typeof verifyEvents>,
): Promise<string[]> {
  try {
    await lastValueFrom(judge(from(asWire(events))).pipe(toArray()));
    return [];
  } catch (error) {
    return [`${name}: ${(error as Error).message.slice(0, 200)}`];
  }
}

/** What a client of AG-UI has that began with `before` and has read all events. */
export async function clientAfter(
  events: readonly AgUiEvent[],
  before: readonly Message[] = [],
): Promise<{ messages: Message[]; state: AgUiState }> {
  const agent = new HttpAgent({ url: "http://unused.test", initialMessages: [...before] });
  const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [], state: {} };
  const mutations = defaultApplyEvents(input, from(asWire(events)), agent, []);
  let known: AgentStateMutation = { messages: [...before], state: {} };
  await mutations.forEach((mutation) => {
    known = { ...known, ...mutation };
  });
  return { messages: known.messages ?? [], state: known.state };
}

/** Events as they come from a stream. */
function asWire(events: readonly AgUiEvent[]): BaseEvent[] {
  return JSON.parse(JSON.stringify(events));
}
