import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { conversationWith } from "../../../test/support/scripted-conversation.ts";

const calls = (...made: [name: string, args: object][]) =>
  `<execute>${JSON.stringify(made.map(([name, args]) => ({ name, args })))}</execute>`;

const steps = [
  calls(["write", { file: "first.txt", content: "one\n" }]),
  "Done.",
  calls(["write", { file: "second.txt", content: `${"line\n".repeat(400)}` }]),
  calls(["shell", { command: "echo two >> first.txt" }]),
  "Done.",
  "Nothing to do.",
];

/** A conversation in a store, with two turns that change files. */
async function changed() {
  const talk = conversationWith(steps, {}, { ephemeral: undefined as never, yes: true });
  const { conversation, root, provider, idle } = talk;
  conversation.session.choice = { ...conversation.session.choice, store: join(root, "store.db") };
  const say = async (text: string, requests: number) => {
    const { length } = provider.requests;
    conversation.submit(text);
    await vi.waitFor(() => expect(provider.requests).toHaveLength(length + requests), { timeout: 60_000 });
    await idle();
  };
  await say("write one", 2);
  await say("go on", 3);
  const diff = async (argument = "") => {
    const from = talk.shown.length;
    await conversation.command("diff", argument);
    return talk.shown.slice(from);
  };
  return { ...talk, say, diff };
}

describe("/diff", () => {
  it("shows what the last turn has changed, by tools and by commands, page by page", async () => {
    const { diff } = await changed();
    const shown = await diff();
    expect(shown.slice(0, 3)).toEqual([
      '2 files changed since turn 2, "go on":',
      "first.txt: changed, +1",
      "second.txt: created, +400",
    ]);
    expect(shown.slice(3, 8)).toEqual(["@ first.txt", "@@ -1,1 +1,2 @@", " one", "+two", "@ second.txt"]);
    expect(shown.at(-1)).toBe("256 lines more: /diff more");
    const more = [...(await diff("more")), ...(await diff("more"))];
    expect(more.filter((line) => line === "+line")).toHaveLength(256);
    expect(await diff("more")).toEqual(["There is no more of it."]);
  });

  it("shows all since a turn, and that a turn has changed nothing", async () => {
    const { diff, say } = await changed();
    expect((await diff("1")).slice(0, 2)).toEqual([
      '2 files changed since turn 1, "write one":',
      "first.txt: created, +2",
    ]);
    await say("rest", 1);
    expect(await diff()).toEqual(['No file was changed since turn 3, "rest".']);
    expect(await diff("9")).toEqual(["There is no turn 9: 1 to 3."]);
    expect(await diff("all")).toEqual(["Write /diff, /diff and the number of a turn, /diff tree or /diff more."]);
  });

  it("names what is not shown, since a person has changed it meanwhile", async () => {
    const { diff, root } = await changed();
    writeFileSync(join(root, "first.txt"), "mine\n");
    expect((await diff()).slice(0, 3)).toEqual([
      '1 file changed since turn 2, "go on":',
      "second.txt: created, +400",
      "Not shown: first.txt was changed since.",
    ]);
  });

  it("shows what the folder holds that its last commit does not", async () => {
    const { diff, root } = await changed();
    expect(await diff("tree")).toEqual([expect.stringMatching(/is in no git repository/)]);
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    writeFileSync(join(root, ".gitignore"), "store*\nsecond.txt\n");
    const index = () => readFileSync(join(root, ".git/HEAD"), "utf8");
    const before = index();
    const shown = await diff("tree");
    expect(shown.slice(0, 3)).toEqual([
      "2 files changed since the last commit:",
      ".gitignore: created, +2",
      "first.txt: created, +2",
    ]);
    expect(index()).toBe(before);
  });

  it("says of a conversation in memory that nothing is kept of it", async () => {
    const { conversation, shown } = conversationWith([]);
    await conversation.command("diff");
    expect(shown.at(-1)).toMatch(/^Of a conversation in memory it is not kept/);
  });
});
