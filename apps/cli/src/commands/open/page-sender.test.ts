import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import type { Root } from "@cogency/toolbox";
import { expect, it } from "vitest";
import type { CommandPrompt } from "../../work/commands/command-prompt.ts";
import { pageSender } from "./page-sender.ts";

const noCommands = opened(undefined);

/** What an agent has whose only command is this one. */
function opened(command: CommandPrompt | undefined) {
  const expand = async (typed: string) => (typed.startsWith("/fix") ? command : undefined);
  const list = async () => ({ commands: [], problems: [] });
  return { commands: { list, expand }, root: { given: "/here" } as Root };
}

const fix: CommandPrompt = {
  command: { name: "fix", description: "", text: "", place: "yours", isOwn: true },
  text: "/fix 12\n\nMend 12.",
  limits: undefined,
  holds: [],
  turn: { allow: ["shell:npm test **"] },
  told: "",
};

it.each(["prompt", "steer"] as const)("a %s that names a command begins a turn with its text", async (kind) => {
  const store = memoryStore();
  const agent = createAgent({ provider: scripted([]), store, scope: "/here" });
  const send = pageSender(agent, store, "/here", opened(fix));
  await send({ conversation: "a" }, { kind, content: "/fix 12" });
  await send({ conversation: "a" }, { kind, content: "/tmp is full" });
  expect((await store.inbox({ conversation: "a" })).map(({ message }) => message)).toMatchObject([
    { kind: "prompt", content: "/fix 12\n\nMend 12." },
    { kind, content: "/tmp is full" },
  ]);
});

it.each([
  ["of the project", { holds: [{ holds: "private", source: "fix.md" }] }, /what it says is not yours/],
  ["that changes nothing", { turn: { allow: [], readOnlyBut: [] } }, /nothing may be changed/],
  ["that attaches a file", { text: `/fix 12\n\nRead @${import.meta.filename}.` }, /it attaches files/],
] as const)("a command %s is refused, with what to do", async (_, more, why) => {
  const store = memoryStore();
  const agent = createAgent({ provider: scripted([]), store, scope: "/here" });
  const send = pageSender(agent, store, "/here", opened({ ...fix, ...more } as CommandPrompt));
  const sending = send({ conversation: "a" }, { kind: "prompt", content: "/fix 12" });
  await expect(sending).rejects.toThrow(why);
  await expect(sending).rejects.toThrow("Use it in the chat, or with cogency run.");
  expect(await store.inbox({ conversation: "a" })).toEqual([]);
});

const prompt = { kind: "prompt", content: "go on" } as const;

it("a prompt for a conversation of another folder is refused, with what to do; other messages and forks are not", async () => {
  const store = memoryStore();
  const there = createAgent({ provider: scripted(["Hello.<end>"]), store, scope: "/there" });
  const here = createAgent({ provider: scripted([]), store, scope: "/here" });
  await there.ask("hi", { conversation: "a" });
  const send = pageSender(here, store, "/here", noCommands);
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
  const send = pageSender(createAgent({ provider: scripted([]), store }), store, "/here", noCommands);
  for (const reason of [undefined, "  ", "not today"])
    await send({ conversation: "a" }, { kind: "deny", question: "q", ...(reason !== undefined && { reason }) });
  expect(
    (await store.inbox({ conversation: "a" })).map(({ message }) => "reason" in message && message.reason),
  ).toEqual(["the user said no.", "the user said no.", "the user said no: not today"]);
});

it("a message makes a parked conversation due again", async () => {
  const store = memoryStore();
  const agent = createAgent({ provider: scripted([]), store, scope: "/here" });
  const send = pageSender(agent, store, "/here", noCommands);
  await send({ conversation: "a" }, prompt);
  const [claim] = await store.claim({ owner: "o", limit: 1, ttl: 1000, scope: "/here" });
  if (claim) await store.park(claim, "failed");
  await send({ conversation: "a" }, { kind: "steer", content: "try again" });
  expect(await store.claim({ owner: "o", limit: 1, ttl: 1000, scope: "/here" })).toHaveLength(1);
});
