import { createAgent } from "@cogency/agent";
import { partsOf } from "@cogency/protocol/parts";
import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore, StoreError } from "@cogency/storage";
import { expect, it, onTestFinished, vi } from "vitest";
import { workUntil } from "./work-until.ts";

it("a run that fails leaves a notice, is said on the terminal, and is parked where somebody has to mend it", async () => {
  const store = memoryStore();
  const error = () => ({ error: new ProviderError("not_found", "There is no such model.") });
  const agent = createAgent({ provider: scripted([error(), error(), error()]), store });
  const said = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => said.mockRestore());
  const ending = new AbortController();
  const working = workUntil(ending.signal, agent, store);
  await agent.send({ conversation: "a" }, { kind: "prompt", content: "hi" });
  await expect.poll(() => store.parked(), { timeout: 15_000 }).toMatchObject([{ key: { conversation: "a" } }]);
  const log = await store.load({ conversation: "a" });
  expect(partsOf(log).at(-1)).toMatchObject({ type: "notice", code: "not_found", parked: true, open: true });
  // Once, not at each try.
  expect(said.mock.calls.join("\n").match(/✗ a: There is no such model\./g)).toHaveLength(1);
  ending.abort();
  await working;
});

it("a store that fails ends the work with its error", async () => {
  const store = memoryStore();
  const agent = createAgent({ provider: scripted([]), store });
  const working = workUntil(new AbortController().signal, agent, store);
  await store.close();
  await expect(working).rejects.toThrow(StoreError);
});
