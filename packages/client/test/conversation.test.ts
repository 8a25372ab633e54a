import { expect, it, onTestFinished } from "vitest";
import type { ConversationSnapshot } from "../src/index.ts";
import { clientOf, type Site, site } from "./support/site.ts";

function started(...args: Parameters<typeof site>): Site {
  const made = site(...args);
  onTestFinished(() => made.end());
  return made;
}

/** A conversation that is followed, with everything that was shown of it. */
function followed(made: Pick<Site, "handler">, id = "c", client = clientOf(made)) {
  const talk = client.conversation(id);
  const shown: ConversationSnapshot[] = [];
  const unsubscribe = talk.subscribe(() => shown.push(talk.snapshot));
  onTestFinished(unsubscribe);
  return { client, talk, shown, unsubscribe, status: () => talk.snapshot.status };
}

/** The parts as a person reads them. */
const lines = ({ parts }: ConversationSnapshot): string[] =>
  parts.map((part) => {
    if (part.type === "call") return `${part.name} ${part.state}`;
    if (part.type === "end") return part.status;
    return "content" in part ? part.content : part.type;
  });

const write = (line: string) => `<execute>[{"name":"write","args":{"line":"${line}"}}]</execute>`;
/** A text of the model that comes slowly. */
const letters = (text: string) => ({ chunks: [...text], delay: 15 });

it("sends words, and shows the answer letter by letter", async () => {
  const { talk, shown, status } = followed(started([letters("Hello, Ada. How are you?<end>")]));
  expect(talk.snapshot).toMatchObject({ parts: [], status: "loading", connection: "connecting", waiting: [] });
  await expect.poll(status).toBe("idle");
  const sent = talk.send("Say hello.");
  expect(talk.snapshot.waiting).toMatchObject([{ kind: "prompt", content: "Say hello.", state: "sending" }]);
  await sent;
  await expect.poll(() => lines(talk.snapshot)).toEqual(["Say hello.", "Hello, Ada. How are you?", "completed"]);
  expect(talk.snapshot).toMatchObject({ status: "idle", connection: "open", waiting: [], title: "Say hello." });
  expect(talk.snapshot.usage.output).toBeGreaterThan(0);
  const open = shown.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "text" && part.open ? part.content : [])),
  );
  expect(new Set(open).size).toBeGreaterThan(3);
  for (const text of open) expect("Hello, Ada. How are you?").toContain(text);
  // A message is shown in one of its places, never in both and never in none.
  for (const { parts, waiting } of shown.slice(shown.findIndex(({ waiting }) => waiting.length > 0)))
    expect(parts.filter(({ type }) => type === "user").length + waiting.length).toBe(1);
});

it("keeps everything that a letter does not change", async () => {
  const { talk, shown, status } = followed(started([letters("A rather long answer, in many letters.<end>")]));
  await talk.send("Go.");
  await expect.poll(() => lines(talk.snapshot).at(-1)).toBe("completed");
  await expect.poll(status).toBe("idle");
  expect(talk.snapshot).toBe(talk.snapshot);
  const writing = shown.filter(({ parts }) => parts.some((part) => part.type === "text" && part.open));
  expect(writing.length).toBeGreaterThan(3);
  for (const [i, one] of writing.entries()) {
    expect(one.status).toBe("running");
    const next = writing[i + 1] ?? one;
    expect([next.parts[0], next.waiting, next.usage]).toEqual([one.parts[0], one.waiting, one.usage]);
    expect(next.parts[0]).toBe(one.parts[0]);
    expect(next.waiting).toBe(one.waiting);
    expect(next.usage).toBe(one.usage);
  }
});

it("shows a question, approves it, and denies another one with a reason", async () => {
  const made = started([write("one"), write("two"), "Done.<end>"]);
  const { talk, status } = followed(made);
  const question = () =>
    talk.snapshot.parts.flatMap((part) => (part.type === "question" && part.open ? part.id : []))[0];
  await talk.send("Write two lines.");
  await expect.poll(status).toBe("waiting");
  expect(lines(talk.snapshot)).toEqual(["Write two lines.", "write waiting", "question"]);
  const first = question() as string;
  expect(await talk.describe(first)).toEqual({ facts: [], rules: [] });
  await talk.approve(first);
  await expect.poll(question).not.toBe(first);
  await expect.poll(status).toBe("waiting");
  await talk.deny(question() as string, "Enough.");
  await expect.poll(status).toBe("idle");
  expect(made.written).toEqual(["one"]);
  expect(talk.snapshot.parts).toMatchObject([
    { type: "user" },
    { type: "call", outcome: "success" },
    { type: "question", decision: "approved" },
    { type: "call", outcome: "denied" },
    { type: "question", decision: "denied", reason: "Enough." },
    { type: "text", content: "Done." },
    { type: "end", status: "completed" },
  ]);
  expect(talk.snapshot.waiting).toEqual([]);
});

it("answers what a tool asks", async () => {
  const { talk, status } = followed(started(['<execute>[{"name":"ask","args":{}}]</execute>', "Thanks.<end>"]));
  await talk.send("Ask me.");
  await expect.poll(status).toBe("waiting");
  const question = talk.snapshot.parts.find((part) => part.type === "question");
  expect(question).toMatchObject({ asks: "answer", message: "Which?" });
  await talk.answer((question as { id: string }).id, "this one");
  await expect.poll(() => lines(talk.snapshot).slice(-2)).toEqual(["Thanks.", "completed"]);
  expect(talk.snapshot.parts).toMatchObject([
    {},
    { result: { content: 'They say "this one".' } },
    { answer: "this one" },
    {},
    {},
  ]);
});

it("steers a run: the model reads it before its next request", async () => {
  const begins = letters('I begin.<execute>[{"name":"ask","args":{}}]</execute>');
  const { talk, status } = followed(started([begins, "As you say.<end>"]));
  await talk.send("Go.");
  await expect.poll(status).toBe("waiting");
  await talk.steer("Rather this.");
  expect(talk.snapshot.waiting).toMatchObject([{ kind: "steer", state: "sent" }]);
  const question = talk.snapshot.parts.find((part) => part.type === "question");
  await talk.answer((question as { id: string }).id, "that");
  const ends = ["Go.", "I begin.", "ask done", "question", "Rather this.", "As you say.", "completed"];
  await expect.poll(() => lines(talk.snapshot)).toEqual(ends);
  expect(talk.snapshot.waiting).toEqual([]);
});

it("cancels a run", async () => {
  const { talk, status } = followed(started([{ chunks: "I begin", hang: true }]));
  await talk.send("Go.");
  await expect.poll(() => lines(talk.snapshot)).toEqual(["Go.", "I begin"]);
  expect(status()).toBe("running");
  await talk.cancel();
  await expect.poll(() => lines(talk.snapshot)).toEqual(["Go.", "I begin", "cancelled"]);
  await expect.poll(status).toBe("idle");
});

it("forks, renames and deletes a conversation, which may begin again under its name", async () => {
  const { client, talk, status } = followed(started(["One.<end>", "Two.<end>", "Three.<end>"]));
  await talk.send("Go.");
  await expect.poll(() => lines(talk.snapshot).length).toBe(3);
  const other = await talk.fork();
  expect(other).toBe(client.conversation(other.id));
  onTestFinished(other.subscribe(() => {}));
  await expect.poll(() => lines(other.snapshot).slice(0, 2)).toEqual(["Go.", "One."]);
  await expect.poll(() => other.snapshot.status).toBe("idle");
  await talk.rename("A talk");
  expect(talk.snapshot.title).toBe("A talk");
  await talk.delete();
  expect(talk.snapshot).toMatchObject({ parts: [], title: "", status: "idle" });
  await talk.send("Again.");
  await expect.poll(() => lines(talk.snapshot)).toEqual(["Again.", "Two.", "completed"]);
  await expect.poll(status).toBe("idle");
});

it("shows a page that was reloaded the same, with messages that no run has read", async () => {
  const made = started();
  await made.end();
  const { talk } = followed(made);
  await talk.send("First.");
  await talk.send("Second.");
  const { talk: again } = followed(made);
  await expect.poll(() => again.snapshot.status).toBe("running");
  expect(again.snapshot.waiting).toEqual(talk.snapshot.waiting);
});

it("follows only while somebody subscribes", async () => {
  let streams = 0;
  const made = started(["Hi.<end>"]);
  const handler: Site["handler"] = async (request) => {
    const response = await made.handler(request);
    if (request.headers.get("accept") !== "text/event-stream") return response;
    streams++;
    request.signal.addEventListener("abort", () => streams--, { once: true });
    return response;
  };
  const { talk, unsubscribe } = followed({ handler });
  const second = talk.subscribe(() => {});
  await expect.poll(() => talk.snapshot.connection).toBe("open");
  unsubscribe();
  expect(streams).toBe(1);
  second();
  // A view that is drawn anew keeps the stream.
  const third = talk.subscribe(() => {});
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(streams).toBe(1);
  third();
  await expect.poll(() => streams).toBe(0);
});

it("gives the same object for the same name", async () => {
  const client = clientOf(started());
  expect(client.conversation("a")).toBe(client.conversation("a"));
  expect(client.conversation("a")).not.toBe(client.conversation("b"));
});
