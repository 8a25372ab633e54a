import {
  type AgentEvent,
  callOf,
  createParser,
  type LogEvent,
  type ModelMessage,
  type ToolSpec,
} from "@cogency/protocol";
import { createSettler, isPersisted } from "@cogency/protocol/host";
import type { Provider } from "@cogency/provider";
import type { Store } from "@cogency/storage";
import type { Driver } from "../src/driver.ts";
import { answerTo, type Received } from "./work.ts";

/**
 * The least that a loop can do that keeps what is settled before anybody sees it: the provider's own generator, the parser
 * and the settler, one awaited append a settled unit, one generator to the consumer. It assembles no request, has no
 * executor, takes no lease, and cannot be cancelled.
 */
export async function* pump(
  provider: Provider,
  store: Store,
  conversation: string,
  dialect: "json" | "xml" = "json",
): AsyncGenerator<AgentEvent> {
  const key = { conversation };
  const keep = async (settled: readonly AgentEvent[]) => {
    const stored = settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type));
    if (stored.length > 0) await store.append(key, stored);
  };
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  await store.append(key, [{ type: "user", content: "go", timestamp: clock() }]);
  for (;;) {
    const parser = createParser({ clock, dialect });
    const settler = createSettler();
    const calls: { text: string }[] = [];
    let hasEnded = false;
    for await (const event of provider.stream({ system, messages })) {
      if (event.type !== "text") continue;
      for (const piece of parser.write(event.text) as AgentEvent[]) {
        if (piece.type === "call") calls.push(callOf(piece).args as { text: string });
        if (piece.type === "end") hasEnded = true;
        const settled = settler.write(piece);
        if (settled.length > 0) await keep(settled);
        yield piece;
      }
    }
    await keep(settler.end());
    if (hasEnded) return;
    const result = resultOf(calls);
    await keep([result]);
    messages.push({ role: "assistant", content: "" }, { role: "user", content: result.content });
    yield result;
  }
}

/**
 * The same with the reading of a driver in place of the parser: every event of the model through `write` and `end`, the settler, one
 * awaited append a settled unit. So what a run takes beyond it is the loop's, not the driver's.
 */
export async function* readingPump(
  driver: Driver,
  provider: Provider,
  store: Store,
  conversation: string,
): AsyncGenerator<AgentEvent> {
  const key = { conversation };
  const keep = async (settled: readonly AgentEvent[]) => {
    const stored = settled.filter((event): event is AgentEvent & LogEvent => isPersisted(event.type));
    if (stored.length > 0) await store.append(key, stored);
  };
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  await store.append(key, [{ type: "user", content: "go", timestamp: clock() }]);
  for (;;) {
    const reading = driver.begin({ log: [], messages: () => messages, system, tools, provider, request: {}, clock });
    const settler = createSettler();
    const calls: { text: string }[] = [];
    for await (const event of provider.stream(reading.request)) {
      for (const piece of reading.write(event) as AgentEvent[]) {
        if (piece.type === "call") calls.push(callOf(piece).args as { text: string });
        const settled = settler.write(piece);
        if (settled.length > 0) await keep(settled);
        yield piece;
      }
    }
    const { events, failure } = reading.end({ isAborted: false, wasCut: false, hasFailed: false });
    if (failure) throw failure;
    for (const last of events as AgentEvent[]) {
      if (last.type === "call") calls.push(callOf(last).args as { text: string });
      if (last.type !== "call" && last.type !== "think" && last.type !== "respond" && last.type !== "execute") continue;
      await keep(settler.write(last));
      yield last;
    }
    await keep(settler.end());
    if (calls.length === 0) return;
    const result = resultOf(calls);
    await keep([result]);
    messages.push({ role: "assistant", content: "" }, { role: "user", content: result.content });
    yield result;
  }
}

/** The result of a batch that was run by hand. */
function resultOf(calls: readonly { text: string }[]): AgentEvent & { type: "result" } {
  const results = calls.map((call) => ({ tool: "shout", status: "success", content: answerTo(call) }));
  const payload = { tools_executed: calls.length, success_count: calls.length, failure_count: 0 };
  return { type: "result", content: JSON.stringify(results), payload, timestamp: clock() };
}

const system = "Be brief.";
const tools: readonly ToolSpec[] = [
  {
    name: "shout",
    description: "Say it loudly.",
    parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  },
];

/** What one writes by hand for one program: the parser in a loop, a list of messages, no store and no laws. */
export async function handLoop(provider: Provider, received: Received): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [{ role: "user", content: "go" }];
  for (;;) {
    const parser = createParser({ clock });
    let text = "";
    let result: string | undefined;
    let hasEnded = false;
    for await (const event of provider.stream({ system, messages })) {
      if (event.type !== "text") continue;
      text += event.text;
      for (const piece of parser.write(event.text)) {
        if (piece.type === "respond") {
          received.pieces++;
          received.characters += piece.content.length;
        } else if (piece.type === "call") {
          received.calls++;
          result = answerTo(callOf(piece).args as { text: string });
        } else if (piece.type === "end") hasEnded = true;
      }
    }
    messages.push({ role: "assistant", content: text });
    if (hasEnded) return messages;
    messages.push({ role: "user", content: `<results>${JSON.stringify([result])}</results>` });
  }
}

function clock(): number {
  return Date.now() / 1000;
}
