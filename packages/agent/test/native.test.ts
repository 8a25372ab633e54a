import { type FinishReason, toMessages } from "@cogency/protocol";
import { type ModelEvent, type Provider, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { createAgent } from "../src/create-agent.ts";
import { block, conversation, echo } from "./support/fixtures.ts";

describe("native blocks of a provider", () => {
  const data = [{ type: "thinking", signature: "abc" }];
  const finish: ModelEvent = { type: "finish", reason: "stop", native: data };
  const text = (content: string): ModelEvent => ({ type: "text", text: content });
  const nativeIn = async (store: Store) =>
    (await store.load({ conversation }, { types: ["record"] })).filter(
      (event) => event.type === "record" && event.kind === "native",
    );

  it("are stored with their step, also if calls ended it, and are sent in the native form", async () => {
    const store = memoryStore();
    const provider = scripted([
      { events: [text(`Well.${block(["echo", { text: "x" }])}`), finish] },
      { events: [text("Done.<end>"), finish] },
    ]);
    const agent = createAgent({ provider, tools: [echo], store, request: { model: "other" } });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "completed", text: "Done." });
    const native = { provider: "scripted", model: "other", data };
    expect(await nativeIn(store)).toMatchObject([{ data: native }, { data: native }]);
    const log = await store.load({ conversation });
    const told = toMessages(log, { form: "native" });
    expect(told.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(told.filter(({ role }) => role === "assistant")).toMatchObject([{ native }, { native }]);
    // The text form has no use for it, and no harm of it.
    const withoutNative = log.filter((event) => event.type !== "record" || event.kind !== "native");
    expect(toMessages(log, { form: "json" })).toEqual(toMessages(withoutNative, { form: "json" }));
    expect(provider.requests[1]?.messages).toEqual(toMessages(withoutNative, { form: "json" }).slice(0, 3));
  });

  it.each<[string, string, FinishReason]>([
    ["ran on after its block", `${block(["echo", { text: "x" }])}\nand more`, "stop"],
    ["wrote a block that was refused", "<execute>[oops]</execute>", "stop"],
    ["wrote a block that was cut off", '<execute>[{"name":"echo"', "length"],
  ])("are left out if they differ from the log: the model %s", async (_, content, reason) => {
    const store = memoryStore();
    const answers: ModelEvent[][] = [
      [text(content), { ...finish, reason }],
      [text("ok"), { type: "finish", reason: "stop" }],
    ];
    /** Tells its end also when it is stopped. */
    const deaf: Provider = {
      ...scripted([]),
      async *stream() {
        yield* answers.shift() ?? [];
      },
    };
    const run = createAgent({ provider: deaf, tools: [echo], store }).run("go", { conversation });
    expect(await run.result).toMatchObject({ status: "completed", text: "ok" });
    expect(await nativeIn(store)).toEqual([]);
  });
});
