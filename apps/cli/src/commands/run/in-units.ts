import type { AgentEvent, RunEvent } from "@cogency/protocol";
import { createSettler, type RunPlace } from "@cogency/protocol/host";

type Marked = AgentEvent & { run: RunPlace };

/**
 * Joins the pieces of a run that yields them as they arrive: passes on the events that the event view would have, and activity where
 * it stands between them.
 */
export function inUnits(show: (event: RunEvent) => void): { event(this: void, event: RunEvent): void; end(): void } {
  const settler = createSettler<Marked>();
  /** Activity since something was held back that will settle. */
  const later: RunEvent[] = [];
  let isHolding = false;
  const pass = (settled: readonly Marked[]) => {
    for (const event of settled) show(event);
  };
  const passLater = () => {
    for (const event of later.splice(0)) show(event);
  };
  return {
    event(event) {
      if (!isOfProtocol(event)) return isHolding ? void later.push(event) : show(event);
      const settled = settler.write(event);
      isHolding = settled.at(-1) !== event;
      if (settled.length === 0) return;
      // Activity of the calls of a block follows its end; activity within a unit follows the unit.
      const before = isHolding || event.type === "execute" ? settled : settled.slice(0, -1);
      pass(before);
      passLater();
      pass(settled.slice(before.length));
    },
    end() {
      pass(settler.end());
      passLater();
    },
  };
}

function isOfProtocol(event: RunEvent): event is Marked {
  return Object.hasOwn(protocolTypes, event.type);
}

const protocolTypes: Record<AgentEvent["type"], true> = {
  user: true,
  think: true,
  respond: true,
  call: true,
  call_delta: true,
  execute: true,
  result: true,
  end: true,
  error: true,
  metric: true,
  interrupt: true,
  cancelled: true,
};
