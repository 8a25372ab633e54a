import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { expect, it } from "vitest";
import { pageSender } from "./page-sender.ts";

const prompt = { kind: "prompt", content: "go on" } as const;

it("a prompt for a conversation of another folder is refused, with what to do; other messages and forks are not", async () => {
  const store = memoryStore();
  const there = createAgent({ provider: scripted(["Hello.<end>"]), store, scope: "/there" });
  const here = createAgent({ provider: scripted([]), store, scope: "/here" });
  await there.ask("hi", { conversation: "a" });
  const send = pageSender(here, store, "/here");
  const problem = {
    code: "conflict",
    message: expect.stringMatching(/the folder \/there\. Run cogency open there, or fork/),
  };
  await expect(send({ conversation: "a" }, prompt)).rejects.toMatchObject(problem);
  await send({ conversation: "a" }, { kind: "cancel" });
  await send({ conversation: await here.fork("a") }, prompt);
  await send({ conversation: "new" }, prompt);
  expect(await store.inbox({ conversation: "a" })).toMatchObject([{ message: { kind: "cancel" } }]);
  expect(await store.inbox({ conversation: "new" })).toHaveLength(1);
});

it("a no says to the model what a no at the terminal says", async () => {
  const store = memoryStore();
  const send = pageSender(createAgent({ provider: scripted([]), store }), store, "/here");
  for (const reason of [undefined, "  ", "not today"])
    await send({ conversation: "a" }, { kind: "deny", question: "q", ...(reason !== undefined && { reason }) });
  expect(
    (await store.inbox({ conversation: "a" })).map(({ message }) => "reason" in message && message.reason),
  ).toEqual(["the user said no.", "the user said no.", "the user said no: not today"]);
});

it("a message makes a parked conversation due again", async () => {
  const store = memoryStore();
  const agent = createAgent({ provider: scripted([]), store, scope: "/here" });
  const send = pageSender(agent, store, "/here");
  await send({ conversation: "a" }, prompt);
  const [claim] = await store.claim({ owner: "o", limit: 1, ttl: 1000, scope: "/here" });
  if (claim) await store.park(claim, "failed");
  await send({ conversation: "a" }, { kind: "steer", content: "try again" });
  expect(await store.claim({ owner: "o", limit: 1, ttl: 1000, scope: "/here" })).toHaveLength(1);
});
