import { describe, expectTypeOf, it } from "vitest";
import type { RunEvent } from "./activity.ts";
import type { AgentEvent, LogEvent, Persisted } from "./events.ts";
import { isPersisted } from "./events.ts";

declare const event: AgentEvent;
declare const runEvent: RunEvent;
declare const store: { append(key: string, events: readonly LogEvent[]): void };

describe("isPersisted", () => {
  it("narrows an event, so that it can be stored", () => {
    if (isPersisted(event)) {
      expectTypeOf(event).toEqualTypeOf<Persisted<AgentEvent>>();
      store.append("key", [event]);
    } else expectTypeOf(event.type).extract<"user">().toBeNever();
  });

  it("narrows an event of a timeline", () => {
    if (isPersisted(runEvent)) store.append("key", [runEvent]);
  });

  it("narrows the events of a list", () => {
    const events: AgentEvent[] = [];
    store.append(
      "key",
      events.filter((one) => isPersisted(one)),
    );
  });

  it("still takes a type", () => {
    const { type }: { type: string } = event;
    if (isPersisted(type)) expectTypeOf(type).toEqualTypeOf<LogEvent["type"]>();
  });
});
