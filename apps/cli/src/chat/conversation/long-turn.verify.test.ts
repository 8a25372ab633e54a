import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

it("a turn of 420 steps goes on with the usual limits, and the person is asked after each hundred", async () => {
  const asked: string[] = [];
  const steps = Array.from(
    { length: 420 },
    (_, at) => `<execute>[{"name":"read","args":{"file":"lines.txt","from":${at + 1},"lines":1}}]</execute>`,
  );
  const person = {
    canAnswer: () => true,
    ask: async () => ({ approved: true }) as const,
    answer: async ({ message }: { message: string }) => {
      asked.push(message);
      return true;
    },
  };
  const talk = conversationWith([...steps, "Done.<end>"], {}, {}, person as never);
  writeFileSync(join(talk.root, "lines.txt"), Array.from({ length: 500 }, (_, line) => `line ${line}`).join("\n"));
  talk.conversation.submit("Look everywhere.");
  await expect.poll(() => talk.provider.requests.length, { timeout: 60_000 }).toBe(421);
  await talk.idle();
  expect(asked.map((message) => /taken (\d+) steps/.exec(message)?.[1])).toEqual(["100", "200", "300", "400"]);
  expect(talk.events).toContainEqual(
    expect.objectContaining({ type: "respond", content: expect.stringMatching(/^Done/) }),
  );
});
