import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { agentOf, block, childrenOf, conversation, give, helper, keyRing } from "./support/play.ts";

it("what an agent of a call writes is shown under its own conversation, and nothing of it under that of the person", async () => {
  const inner = memoryStore();
  const published: { conversation: string; text: string }[] = [];
  const store = {
    ...inner,
    live: {
      ...inner.live,
      publisher: ({ conversation }: { conversation: string }) => ({
        isFollowed: true,
        publish(pieces: readonly object[]) {
          for (const piece of pieces) if ("text" in piece) published.push({ conversation, text: String(piece.text) });
        },
        close() {},
      }),
    },
  };
  const definitions = [
    helper("outer", [{ events: ["Found ", "it.", "<end>"].map((text) => ({ type: "text", text })) }]),
  ];
  const { agent } = agentOf([block(give("outer")), "Done.<end>"], definitions, { store, keyRing });
  await agent.ask("Go.", { conversation });
  const [child] = await childrenOf(store);
  const textOf = (name: string) => published.filter((one) => one.conversation === name).map(({ text }) => text);
  const own = textOf(child ?? "").join("");
  expect(own).not.toBe("");
  expect("Found it.").toContain(own);
  expect(textOf(conversation).join("")).not.toContain("Found");
});
