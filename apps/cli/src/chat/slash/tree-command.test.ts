import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pointsOf } from "@cogency/protocol/host";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

type Talk = ReturnType<typeof conversationWith>;

async function say({ conversation, provider, idle }: Talk, text: string, requests = 1): Promise<void> {
  const { length } = provider.requests;
  conversation.submit(text);
  await vi.waitFor(() => expect(provider.requests.length).toBe(length + requests), { timeout: 60_000 });
  await idle();
}

async function textsOf({ conversation }: Talk, name = conversation.session.conversation): Promise<string[]> {
  const log = await (await conversation.session.store()).load({ conversation: name });
  return log.flatMap((event) => (event.type === "user" ? [event.content] : []));
}

async function threeTurns(): Promise<Talk> {
  const talk = conversationWith(["One.", "Two.", "Three.", "Four.", "Five."]);
  for (const text of ["first", "second", "third"]) await say(talk, text);
  return talk;
}

const write = (content: string, more: object = {}) =>
  `<execute>${JSON.stringify([{ name: "write", args: { file: "a.txt", content, ...more } }])}</execute>`;

/** A conversation in a store, whose agent writes a file in its second and third turn. */
async function changingFiles(): Promise<Talk> {
  const steps = ["One.", write("2"), "Two.", write("3", { overwrite: true }), "Three.", "Four."];
  const talk = conversationWith(steps, {}, { ephemeral: undefined as never, yes: true });
  const { session } = talk.conversation;
  session.choice = { ...session.choice, store: join(talk.root, "store.db") };
  await say(talk, "first");
  await say(talk, "second", 2);
  await say(talk, "third", 2);
  return talk;
}

describe("/back", () => {
  it("lists the prompts, forks before the one that is taken, and gives its text to be changed", async () => {
    const talk = await threeTurns();
    const { conversation, shown, chosen, givenBack, provider } = talk;
    chosen.push(1);
    await conversation.command("back");
    expect(shown).toContain("Which prompt do you want to change?");
    expect(shown.filter((line) => / · just now$/.test(line))).toEqual([
      "1  first · just now",
      "2  second · just now",
      "3  third · just now",
    ]);
    expect(givenBack).toEqual(["second"]);
    expect(conversation.session.conversation).not.toBe("c");
    await say(talk, "another second");
    expect(provider.requests.at(-1)?.messages.map((message) => "content" in message && message.content)).toEqual([
      "first",
      "One.",
      "another second",
    ]);
    expect(await textsOf(talk)).toEqual(["first", "another second"]);
    expect(await textsOf(talk, "c")).toEqual(["first", "second", "third"]);
  });

  it("goes before the first prompt by its number, in a fork that holds nothing", async () => {
    const talk = await threeTurns();
    await talk.conversation.command("back", "1");
    expect(talk.givenBack).toEqual(["first"]);
    expect(await textsOf(talk)).toEqual([]);
    await say(talk, "anew");
    expect(talk.provider.requests.at(-1)?.messages).toEqual([{ role: "user", content: "anew" }]);
  });

  it("changes nothing if nothing is taken, for a turn that there is not, and while a turn goes on", async () => {
    const talk = await threeTurns();
    const { conversation, shown, givenBack } = talk;
    await conversation.command("back");
    expect(shown.at(-1)).toBe("The conversation stays as it is.");
    await conversation.command("back", "4");
    expect(shown.at(-1)).toBe(
      "/back takes the number of a turn, from 1 to 3, or the name of a point; alone, it lists the turns.",
    );
    conversation.submit("fourth");
    await conversation.command("back", "1");
    expect(shown.at(-1)).toBe("/back can be used when the turn has ended. Esc cancels it.");
    await talk.idle();
    expect(conversation.session.conversation).toBe("c");
    expect(givenBack).toEqual([]);
  });

  it("leaves what commands of the person printed out of what is typed again", async () => {
    const talk = conversationWith(["One.", "Two."]);
    talk.conversation.submit("!echo evil");
    await talk.idle();
    await say(talk, "first");
    expect((await textsOf(talk))[0]).toContain("evil");
    await talk.conversation.command("back", "1");
    expect(talk.givenBack).toEqual(["first"]);
  });

  it("leaves the files as they are unless the person wants their changes undone, and undoes them where that is wanted", async () => {
    const talk = await changingFiles();
    const { conversation, chosen, shown, root } = talk;
    const file = join(root, "a.txt");
    chosen.push(undefined);
    await conversation.command("back", "3");
    expect(shown.at(-1)).toBe("The conversation and the files stay as they are.");
    expect(conversation.session.conversation).toBe("c");
    chosen.push(0);
    await conversation.command("back", "3");
    expect(shown).toContain("Since then the agent has changed 1 file: a.txt.");
    expect(readFileSync(file, "utf8")).toBe("3");
    // The fork can undo what the calls that it holds have changed.
    const fork = conversation.session.conversation;
    expect(fork).not.toBe("c");
    await conversation.goTo("c");
    chosen.push(1);
    await conversation.command("back", "2");
    expect(existsSync(file)).toBe(false);
    expect(shown.at(-1)).toMatch(/removed +a\.txt\n.*undo_\w+\n.*You are before turn 2/s);
    const [, undo = ""] = /(undo_\w+)/.exec(shown.at(-1) ?? "") ?? [];
    await conversation.command("undo", undo);
    expect(readFileSync(file, "utf8")).toBe("3");
  });

  it("says nothing of files that were changed by others since", async () => {
    const talk = await changingFiles();
    writeFileSync(join(talk.root, "a.txt"), "mine");
    await talk.conversation.command("back", "2");
    expect(talk.shown.filter((line) => line.startsWith("Since then"))).toEqual([]);
    expect(readFileSync(join(talk.root, "a.txt"), "utf8")).toBe("mine");
  });
});

describe("/tree", () => {
  it("shows the forks by what was said first in them, with the current one marked, and goes to the one that is taken", async () => {
    const talk = await threeTurns();
    const { conversation, shown, chosen } = talk;
    await conversation.command("back", "2");
    await say(talk, "another way");
    const way = conversation.session.conversation;
    await conversation.command("back", "2");
    const from = shown.length;
    chosen.push(0, 0);
    await conversation.command("tree");
    expect(shown.slice(from)).toEqual([
      "Which conversation?",
      "first · just now",
      "└ another way · just now",
      "  └ this one: first (nothing more was said yet) · just now",
      "Which point of it?",
      "Go on with it as it is",
      ...["1  first · just now", "2  second · just now", "3  third · just now"],
      expect.stringMatching(/^Going on with c\./),
      ...["> second", "> third"],
    ]);
    expect(conversation.session.conversation).toBe("c");
    chosen.push(1, 0);
    await conversation.command("tree");
    expect(conversation.session.conversation).toBe(way);
  });

  it("stays where nothing is taken, and where one is taken that was deleted", async () => {
    const talk = await threeTurns();
    const { conversation, shown, chosen } = talk;
    await conversation.command("back", "3");
    const fork = conversation.session.conversation;
    await conversation.command("tree");
    expect(shown.at(-1)).toBe("You stay in this one.");
    await (await conversation.session.store()).delete({ conversation: "c" });
    chosen.push(0);
    await conversation.command("tree");
    expect(shown.at(-1)).toBe("That one was deleted.");
    expect(shown).toContain("c, deleted");
    expect(conversation.session.conversation).toBe(fork);
  });

  it("unfolds a conversation without forks to its turns and names, and goes on from one in a fork", async () => {
    const talk = await threeTurns();
    const { conversation, shown, chosen, givenBack, provider } = talk;
    await conversation.command("tree");
    expect(shown.slice(-5)).toEqual([
      "Which point?",
      ...["1  first · just now", "2  second · just now", "3  third · just now"],
      "You stay in this one.",
    ]);
    await conversation.command("mark", "--at turn:2 \u200bx");
    expect(shown.at(-1)).toMatch(/1 to 60 visible characters/);
    await conversation.command("mark", "--at turn:2 the good one");
    await conversation.command("mark", "the end");
    chosen.push(1, 0);
    await conversation.command("tree");
    expect(shown).toContain('2  second · "the good one" · just now');
    expect(shown).toContainEqual(expect.stringMatching(/^ {3}"the end", after \d+ events$/));
    expect(shown).toContain("What do you want at turn 2?");
    expect(shown.at(-1)).toMatch(/^You are before turn 2\./);
    expect(givenBack).toEqual(["second"]);
    await say(talk, "again");
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).not.toContain("third");
    // The fork has the names that stand before it.
    await conversation.command("mark");
    expect(shown.at(-1)).toMatch(/^"the good one", after \d+ events$/);
    await conversation.command("back", "the good one");
    expect(shown.at(-1)).toMatch(/^You are before turn 2\./);
  });

  it("writes the beginning of the command that names a point", async () => {
    const { conversation, chosen, givenBack } = await threeTurns();
    chosen.push(2, 1);
    await conversation.command("tree");
    const [line = ""] = givenBack;
    expect(line).toMatch(/^\/mark --at \d+ $/);
    await conversation.command("mark", `${line.slice("/mark ".length)}before the third`);
    const log = await (await conversation.session.store()).load({ conversation: "c" });
    const [point] = pointsOf(log);
    expect(log[point?.at ?? 0]).toMatchObject({ type: "user", content: "third" });
  });

  it("restores files to a point, alone or with a fork, and the fork can take that back", async () => {
    const talk = await changingFiles();
    const { conversation, shown, chosen, root } = talk;
    const file = join(root, "a.txt");
    await conversation.command("mark", "--at turn:3 two");
    await conversation.command("mark", "all");
    chosen.push(2, 1);
    await conversation.command("tree");
    expect(shown).toContainEqual(expect.stringMatching(/^2 {2}second · just now · 1 file$/));
    expect(shown).toContain("Undo what was changed since, in 1 file: a.txt");
    expect(readFileSync(file, "utf8")).toBe("2");
    expect(conversation.session.conversation).toBe("c");
    const [, undo = ""] = /(undo_\w+)/.exec(shown.at(-1) ?? "") ?? [];
    await conversation.command("undo", undo);
    expect(readFileSync(file, "utf8")).toBe("3");
    chosen.push(1, 2);
    await conversation.command("tree");
    expect(existsSync(file)).toBe(false);
    expect(conversation.session.conversation).not.toBe("c");
    const [, taken = ""] = /(undo_\w+)/.exec(shown.at(-1) ?? "") ?? [];
    await conversation.command("undo", taken);
    expect(readFileSync(file, "utf8")).toBe("3");
  });

  it("takes back the summary that stands for a turn, and says which turns the model reads again", async () => {
    const talk = await threeTurns();
    const { conversation, shown, chosen, provider } = talk;
    const store = await conversation.session.store();
    const upTo = (await store.load({ conversation: "c" })).findLastIndex(({ type }) => type === "user");
    const data = { upTo, text: "They counted to two." };
    await store.append({ conversation: "c" }, [{ type: "record", kind: "summary", data, timestamp: 1 }]);
    chosen.push(1, 2);
    await conversation.command("tree");
    expect(shown).toContain("2  second · just now · summed up");
    expect(shown).toContain("3  third · just now");
    expect(shown.at(-1)).toBe("The summary is taken back: the model reads again what it stood for, turns 1 to 2.");
    await say(talk, "and now?");
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain("second");
  });
});
