import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { plainTalk } from "../../../test/support/plain-talk.ts";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";
import { slashCommands } from "./slash-commands.ts";

type Talk = ReturnType<typeof conversationWith>;

const call = (name: string, args: object) => `<execute>${JSON.stringify([{ name, args }])}</execute>`;

/** Says something, and waits until it is answered. */
async function say({ conversation, provider, idle }: Talk, text: string): Promise<void> {
  const { length } = provider.requests;
  conversation.submit(text);
  await vi.waitFor(() => expect(provider.requests.length).toBeGreaterThan(length), { timeout: 60_000 });
  await idle();
}

const answers = ["<think>Hm, hm.</think>One.", "Two.", "Three.", "Four."];

/** What each command does, after a first answer. */
const does: Record<string, (talk: Talk) => Promise<void>> = {
  async "/mark"({ conversation, shown }) {
    await conversation.command("mark");
    expect(shown.at(-1)).toMatch(/^No point of this conversation has a name yet/);
    await conversation.command("mark", "a good place");
    await conversation.command("mark", "--at turn:1 the beginning");
    await conversation.command("mark");
    expect(shown.at(-1)).toMatch(/^"the beginning", after \d+ events?\n"a good place", after \d+ events$/);
    await conversation.command("mark", "--remove the beginning");
    expect(shown.at(-1)).toBe('No point is named "the beginning" any more.');
    await conversation.command("mark", "--at");
    expect(shown.at(-1)).toMatch(/^Write \/mark <name>/);
  },
  async "/help"({ conversation, shown }) {
    await conversation.command("help");
    expect(shown.filter((line) => line.startsWith("/"))).toHaveLength(14);
    expect(shown.at(-1)).toMatch(/^\/help all shows every command/);
    await conversation.command("help", "all");
    for (const { name } of slashCommands) expect(shown.some((line) => line.startsWith(`/${name}`))).toBe(true);
    await conversation.command("help", "keys");
    expect(shown.at(-1)).toBe("Esc: goes back");
  },
  async "/memory"({ conversation, shown }) {
    await conversation.command("memory");
    expect(shown.at(-2)).toBe("Nothing is remembered of you.");
    expect(shown.at(-1)).toMatch(/^Memory is off: .*cogency memory on/);
    await conversation.command("memory", "remember Use tabs.");
    const id = /^Remembered as ([a-z0-9]{6})\./.exec(shown.at(-1) ?? "")?.[1];
    await conversation.command("memory");
    expect(shown.at(-2)).toMatch(new RegExp(`^${id}: Use tabs\\. \\(preference, .*typed by you\\)$`));
    await conversation.command("memory", `forget ${id}`);
    expect(shown.at(-1)).toMatch(/^1 memory forgotten\. The words still stand/);
    await conversation.command("memory", `forget ${id}`);
    expect(shown.at(-1)).toContain(`no memory "${id}"`);
  },
  async "/driver"({ conversation, shown }) {
    await conversation.command("driver", "react");
    expect(shown.at(-1)).toBe("driver react");
    expect(conversation.session.choice.driver).toBe("react");
    await conversation.command("driver");
    expect(shown.at(-1)).toBe("driver react");
  },
  async "/mode"({ conversation, shown }) {
    const toolNames = async () => (await conversation.session.open()).tools.map(({ name }) => name);
    expect(await toolNames()).toContain("write");
    await conversation.command("mode", "read-only");
    expect(shown.at(-1)).toMatch(/^mode read-only: /);
    expect(await toolNames()).not.toContain("write");
    await conversation.command("mode", "deny");
    expect(conversation.state.mode).toBe("deny");
    expect(await toolNames()).toContain("write");
  },
  async "/tools"({ conversation, shown }) {
    await conversation.command("tools");
    expect(shown).toContainEqual(expect.stringMatching(/^read: .+/));
  },
  async "/skill"({ conversation, shown }) {
    await conversation.command("skill", "nothing-of-this-name");
    expect(shown.at(-1)).toMatch(/^There is no skill nothing-of-this-name\./);
  },
  async "/skills"({ conversation, shown }) {
    await conversation.command("skills");
    expect(shown.at(-1)).toMatch(/^There are no skills here\. To add one, write .*skills\/<name>\/SKILL\.md\.$/);
  },
  async "/hooks"({ conversation, shown }) {
    await conversation.command("hooks");
    expect(shown.at(-1)).toBe("There are no hooks here. To add one, use the key hooks of a configuration.");
  },
  async "/attach"(talk) {
    const { conversation, root, provider, shown } = talk;
    writeFileSync(join(root, "poem.txt"), "roses are red");
    await conversation.command("attach", join(root, "poem.txt"));
    expect(shown.at(-1)).toMatch(/poem\.txt goes with the next prompt\.$/);
    await say(talk, "what rhymes?");
    expect(JSON.stringify(provider.requests.at(-1))).toContain("roses are red");
    await say(talk, "and now?");
    expect(JSON.stringify(provider.requests.at(-1)?.messages.at(-1))).not.toContain("roses are red");
  },
  async "/show"({ conversation, shown }) {
    await conversation.command("show");
    expect(shown.at(-1)).toBe("No such call has ended in this chat yet.");
  },
  async "/copy"({ conversation, shown }) {
    await conversation.command("copy");
    expect(shown.slice(-2)).toEqual([
      "copied: One.",
      "The last answer (1 line) was sent to the clipboard of the terminal.",
    ]);
  },
  async "/thinking"({ conversation, shown }) {
    await conversation.command("thinking");
    expect(shown.at(-1)).toBe("Hm, hm.");
    await conversation.command("thinking", "on");
    await conversation.command("thinking", "off");
    expect(shown.filter((line) => line.startsWith("thinking is"))).toEqual([
      "thinking is shown: true",
      "thinking is shown: false",
    ]);
  },
  async "/later"(talk) {
    await talk.conversation.command("later", "and more");
    await vi.waitFor(() => expect(talk.shown).toContain("> and more"), { timeout: 60_000 });
    await talk.idle();
  },
  async "/unsend"({ conversation, shown }) {
    await conversation.command("unsend");
    expect(shown.at(-1)).toBe("Everything was sent.");
  },
  async "/continue"({ conversation, idle, provider, shown }) {
    await conversation.command("continue");
    await idle();
    expect(provider.requests).toHaveLength(1);
    await conversation.command("new");
    await conversation.command("continue");
    await idle();
    expect(shown.at(-1)).toBe("The conversation is empty: say something first.");
  },
  async "/undo"({ conversation, shown }) {
    await conversation.command("undo");
    expect(shown.at(-1)).toMatch(/in memory, so nothing can be undone\.$/);
  },
  async "/compact"(talk) {
    const { conversation, shown, provider } = talk;
    await conversation.command("compact");
    expect(shown.at(-1)).toBe("The conversation is too short to be summed up: nothing was changed.");
    await conversation.command("compact", "show");
    expect(shown.at(-1)).toBe("The conversation was not summed up.");
    await say(talk, "a long story ".repeat(4000));
    await conversation.command("compact", "the name of the dog");
    expect(shown.at(-1)).toMatch(
      /^The earlier part .* is summed up: about 1\d,\d{3} tokens became \d,\d{3}\. \/compact show/,
    );
    // The third answer was the summary.
    expect(provider.requests[2]?.system).toMatch(/Do not lose: the name of the dog$/);
    expect(conversation.usage.context).toBeLessThan(4000);
    await conversation.command("compact", "show");
    expect(shown.at(-1)).toContain("> Three.");
    await say(talk, "and?");
    const [before = "", request = ""] = [1, 3].map((at) => JSON.stringify(provider.requests[at]?.messages));
    expect(request).toContain("A model wrote this summary of it");
    expect(request.length).toBeLessThan(before.length / 2);
    await conversation.command("compact", "undo");
    expect(shown.at(-1)).toMatch(/^The summary is taken back: the model reads again what it stood for, turns? 1/);
    await conversation.command("compact", "undo");
    expect(shown.at(-1)).toBe("There is no summary that could be taken back.");
  },
  async "/budget"({ conversation, shown }) {
    await conversation.command("budget", "steps 3");
    await conversation.command("budget", "seconds 60");
    await conversation.command("budget", "ask-after-minutes 0.5");
    await conversation.command("budget", "command-seconds 600");
    expect(shown.at(-1)?.split("\n")).toEqual([
      expect.stringMatching(/^used: .* tokens in, /),
      "the earlier part is summed up once the model refuses a request as too long (--context-window; /compact does it now)",
      "you are asked after 100 steps or 0.5 minutes without a word (ask-after-steps, ask-after-minutes)",
      "a command ends after 120 s, or what its call asks for, at most 600 s (command-seconds)",
      "a turn ends at:",
      "  steps: 3 steps",
      "  seconds: 60 s",
      "  cost: no limit",
      "  tokens: no limit",
      "  calls: no limit",
      "  failed-calls: 8 failed calls in a row",
      "  repeats: 3 times the same calls with the same results in a row",
      "  failures: 3 unusable answers in a row",
    ]);
    expect(conversation.session.choice).toMatchObject({ maxSteps: 3, maxSeconds: 60, askAfterMinutes: 0.5 });
  },
  async "/plan"(talk) {
    const { conversation, shown } = talk;
    await conversation.command("plan");
    expect(shown.at(-1)).toMatch(/^There is no plan\./);
    await conversation.command("plan", "text");
    expect(shown.at(-1)).toMatch(/^You have accepted no plan/);
    const { length } = talk.provider.requests;
    await conversation.command("plan", "a new page");
    expect(conversation.state.mode).toBe("plan");
    await vi.waitFor(() => expect(talk.provider.requests.length).toBeGreaterThan(length), { timeout: 60_000 });
    expect(JSON.stringify(talk.provider.requests.at(-1)?.messages)).toMatch(/a new page.*Plan mode is on/);
  },
  async "/jobs"({ conversation, shown }) {
    await conversation.command("jobs");
    expect(shown.at(-1)).toBe("Nothing was started in the background.");
  },
  async "/history"({ conversation, shown }) {
    await conversation.command("history");
    expect(shown.at(-1)).toMatch(/^c: .*, this one · begin$/);
  },
  async "/new and /resume"(talk) {
    const { conversation, shown } = talk;
    await conversation.command("new");
    expect(shown.at(-1)).toMatch(/^A new conversation\./);
    await say(talk, "another one");
    expect(conversation.session.conversation).not.toBe("c");
    await conversation.command("resume", "begin");
    expect(conversation.session.conversation).toBe("c");
    expect(shown.slice(-2)).toEqual(["Going on with c.", "> begin"]);
  },
  async "/fork"(talk) {
    const { conversation, shown } = talk;
    await conversation.command("fork");
    expect(shown.at(-2)).toBe(`Going on with ${conversation.session.conversation}.`);
    expect(shown.at(-1)).toBe("This is a copy. /resume c goes back.");
    await say(talk, "only here");
    const store = await conversation.session.store();
    const texts = async (name: string) =>
      (await store.load({ conversation: name })).flatMap((event) => (event.type === "user" ? [event.content] : []));
    expect(await texts(conversation.session.conversation)).toEqual(["begin", "only here"]);
    expect(await texts("c")).toEqual(["begin"]);
  },
  async "/export"({ conversation, shown }) {
    await conversation.command("export", "out.jsonl");
    expect(shown.at(-1)).toMatch(/in memory only, so it can be exported as a page alone: \/export --html$/);
  },
  async "/quit"({ conversation }) {
    await conversation.command("quit");
    await conversation.left;
  },
};

/** What is typed, and what it is answered with. */
const bad: [typed: string, answer: RegExp][] = [
  ["/help me", /Write \/help, \/help all or \/help keys\./],
  ["/driver soap", /There is no driver soap: protocol, native, react, auto\./],
  ["/mode maybe", /There is no mode maybe: ask, edits, sandboxed, plan, read-only, yes, deny\./],
  ["/model a b c", /a provider and a name/],
  ["/attach", /Which file\?/],
  ["/attach no-such.png", /no-such\.png/],
  ["/show last", /takes a number/],
  ["/thinking aloud", /Write \/thinking, \/thinking on or \/thinking off\./],
  ["/later", /What shall be said\?/],
  ["/budget steps 1.5", /with a number above 0: \/budget steps 40/],
  ["/budget cost 0", /Write \/budget and one of steps, seconds, cost/],
  ["/jobs end job_1", /Write \/jobs, \/jobs stop <id> or \/jobs open <port>\./],
  ["/jobs stop job_1", /There is no command "job_1" in the background/],
  ["/jobs open 70000", /takes a port/],
  ["/jobs open 3000", /was not opened: no command runs in the background/],
  ["/history all", /takes a number/],
  ["/resume", /Which one\?/],
  ["/resume no-such", /no-such/],
  ["/fork here", /has no point "here"\. Give a number of events/],
  ["/fork 99999", /99999/],
  ["/export", /Where to\?/],
  ["/undo everything", /everything/],
  ["/toosl", /Did you mean \/tools\?/],
  ["/xyzzy", /\/help shows what there is/],
];

describe("a slash command", () => {
  it.each(Object.entries(does))("%s does what its help says", async (_, check) => {
    const talk = conversationWith(answers);
    await say(talk, "begin");
    await check(talk);
  });

  it("answers what it cannot read with what to write, and changes nothing", async () => {
    const talk = conversationWith(answers);
    await say(talk, "begin");
    const before = talk.conversation.session.choice;
    for (const [typed, answer] of bad) {
      const { length } = talk.shown;
      const [name = "", argument] = typed.slice(1).split(/ (.*)/s);
      await talk.conversation.command(name, argument);
      expect([typed, ...talk.shown.slice(length)].join("\n")).toMatch(answer);
      expect(talk.shown.length, typed).toBe(length + 1);
    }
    expect(talk.conversation.session.choice).toEqual(before);
    expect(talk.conversation.session.conversation).toBe("c");
  });

  it("/model refuses a name that the offline model does not have, and the chat goes on with it", async () => {
    const said = await plainTalk("/model gpt-5", { provider: "offline" }, "hello");
    expect(said).toContainEqual(expect.stringMatching(/^error: The offline model has no "gpt-5"/));
    expect(said.join("\n")).toContain("I am `offline-1`");
  });

  it("shows the output of calls, exports what is in a store, and waits where it would disturb a turn", async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    onTestFinished(() => void vi.restoreAllMocks());
    const steps = [
      call("read", { file: "first.txt" }),
      () => {
        talk.conversation.submit("/new");
        talk.conversation.submit("/later /budget steps 2");
        return call("read", { file: "second.txt" });
      },
      "Done.",
    ];
    const talk = conversationWith(steps, {}, { ephemeral: undefined as never });
    const { conversation, root, shown } = talk;
    conversation.session.choice = { ...conversation.session.choice, store: join(root, "store.db") };
    for (const name of ["first", "second"]) writeFileSync(join(root, `${name}.txt`), `all of the ${name} file`);
    await say(talk, "begin");
    await vi.waitFor(() => expect(shown.at(-1)).toMatch(/^ {2}steps: 2 steps$/m), { timeout: 60_000 });
    expect(shown).toContain("/new can be used when the turn has ended. Esc cancels it.");
    await conversation.command("show");
    expect(shown.slice(-2)).toEqual(["read\n  file: second.txt", expect.stringContaining("all of the second file")]);
    await conversation.command("show", "1");
    expect(shown.at(-1)).toContain("all of the first file");
    await conversation.command("undo");
    expect(shown.at(-1)).toMatch(/There is nothing to undo/);
    await conversation.command("export", join(root, "out.jsonl"));
    expect(readFileSync(join(root, "out.jsonl"), "utf8")).toContain("second.txt");
    await conversation.command("export", join(root, "out.jsonl"));
    expect(shown.at(-1)).toMatch(/out\.jsonl/);
  });
});
