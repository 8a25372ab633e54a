import type { LogEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { defineTool } from "@cogency/tools";
import { expect, vi } from "vitest";
import type { Dispatcher, WakeHandler } from "../../src/index.ts";
import { deciding } from "./model.ts";

export const here = { conversation: "c" };
export const hello = deciding(() => "Hello.");
export const never = scripted([]);
/** Within what a busy machine may take. */
export const waitFor = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 15_000 });
export const settled = async (store: { nextWake(): Promise<number | undefined> }) =>
  waitFor(async () => expect(await store.nextWake()).toBeUndefined());
export const answers = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "respond" ? [event.content] : []));

export function counting(work: () => Promise<unknown> | unknown = () => "ok") {
  const tool = defineTool({
    name: "count",
    description: "Counts.",
    input: { type: "object" },
    async execute() {
      counter.begun++;
      const result = await work();
      counter.ended++;
      return result;
    },
  });
  const counter = { begun: 0, ended: 0, tool };
  return counter;
}

/** A dispatcher whose wakes the test gives by hand. */
export function byHand() {
  let handler: WakeHandler | undefined;
  const wake = () => handler?.();
  const dispatcher: Dispatcher = {
    async wake() {},
    async work(given) {
      handler = given;
      return async () => {
        handler = undefined;
      };
    },
  };
  return { dispatcher, wake };
}
