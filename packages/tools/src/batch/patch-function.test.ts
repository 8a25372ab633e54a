import { expect, it } from "vitest";
import { batchContext, echo, executorOf, parallel, sequential } from "../../test/support/fixtures.ts";
import type { MetadataPatch, ToolEvent } from "../host.ts";

const state = {
  events: [],
  metadata: { kept: true },
  step: 1,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
};

it.each([parallel, sequential])(
  "a function of a patch that gives no object fails, and the metadata stays (%j)",
  async (options) => {
    for (const given of [Promise.resolve({ a: 1 }), "abc", [1], null]) {
      const events: ToolEvent[] = [];
      const patch = (() => given) as unknown as MetadataPatch;
      const hooks = [{ name: "odd", afterToolUse: () => ({ patch }) }];
      const executor = executorOf([echo], { hooks, observer: (event) => events.push(event) });
      const batch = executor.open(batchContext({ state }), options);
      batch.add({ name: "echo", args: {} });
      expect(await batch.run()).toMatchObject([{ outcome: "success" }]);
      expect(batch.metadata).toEqual({ kept: true });
      const message =
        'The metadata stays as it was: the patch of the hook "odd" failed: it returned no object of properties';
      expect(events).toContainEqual(
        expect.objectContaining({ type: "hook_failed", error: expect.objectContaining({ message }) }),
      );
    }
  },
);
