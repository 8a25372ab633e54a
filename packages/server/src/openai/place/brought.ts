import type { StoredEvent } from "@cogency/storage";
import type { Asked, Said } from "../said.ts";

/** What a client brings together with the results of calls. */
interface Brought {
  readonly tools: Asked["tools"];
  readonly instructions: readonly Said[];
}

/**
 * The tools that a client brings with the results of calls, and what it instructs, where they are others than the model has: such as after
 * it has handed the conversation over to another agent of its own. Undefined if they have the same names, or it brings none.
 */
export function changedTools({ said, tools }: Asked, events: readonly StoredEvent[]): Brought | undefined {
  if (tools.length === 0 || namesOf(tools) === namesOf(lastTools(events))) return undefined;
  return { tools, instructions: said.filter(({ type }) => type === "instructions") };
}

function lastTools(events: readonly StoredEvent[]): readonly { name: string }[] {
  const record = events.findLast((event) => event.type === "record" && event.kind === "client_tools");
  return record?.type === "record" && record.kind === "client_tools" ? record.data.tools : [];
}

function namesOf(tools: readonly { name: string }[]): string {
  return JSON.stringify(tools.map(({ name }) => name).toSorted());
}
