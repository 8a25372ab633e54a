import { defineTool } from "@cogency/agent";
import type { LogEvent } from "@cogency/protocol";
import type { TurnItem } from "../../src/bridge/index.ts";

export const notice = (data: object): LogEvent =>
  ({
    type: "record",
    kind: "notice",
    data: { code: "overloaded", message: "It is busy.", ...data },
    timestamp: 1,
  }) as LogEvent;
export const last = (items: readonly TurnItem[]) => items.at(-1);
export const over = (ending: object) => ({ type: "over", ending });

export function thinker({ headers }: Request) {
  return { id: "ada", scopes: [headers.get("x-scopes") ?? ""] };
}

export function free(name: string) {
  return defineTool({ name, description: "Asks nobody.", input: { type: "object" }, execute: () => "ok" });
}

export const isStarted = (event: LogEvent) => event.type === "record" && event.kind === "started";
export const isFinished = (event: LogEvent) => event.type === "record" && event.kind === "finished";
export const isMessage = (event: LogEvent, id: string) =>
  event.type === "record" && event.kind === "message" && event.data.id === id;
