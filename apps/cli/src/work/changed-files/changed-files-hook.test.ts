import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Agent, createAgent } from "@cogency/agent";
import type { LogEvent, UserEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { openRoot } from "@cogency/toolbox";
import { editTool, readTool, type TextFiles, writeTool } from "@cogency/toolbox/files";
import { defineTool } from "@cogency/tools";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { changedFilesHook } from "./changed-files-hook.ts";

const here = { conversation: "c" };
type Call = [name: string, args: object];
const block = (...calls: Call[]) =>
  `<execute>${JSON.stringify(calls.map(([name, args]) => ({ name, args })))}</execute>`;
const read = (file: string): Call => ["read", { file }];
const write: Call = ["write", { file: "a.txt", content: "mine", overwrite: true }];
const edit: Call = ["edit", { file: "a.txt", edits: [{ old: "one", new: "two" }] }];

/** An agent in a folder of a few files, and what changes a file there. */
async function world(answers: string[], files?: TextFiles) {
  const folder = mkdtempSync(join(tmpdir(), "cogency-changed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = (file: string) => join(folder, file);
  for (const file of ["a.txt", "b.txt"]) writeFileSync(path(file), "one");
  const root = await openRoot(folder, { access: "project" });
  /** Writes until the time of the file has passed now by more than a clock may lag. */
  const change = (file: string, text: string) => {
    const after = Date.now() + 30;
    return vi.waitFor(
      () => {
        writeFileSync(path(file), text);
        expect(statSync(path(file)).ctimeMs).toBeGreaterThan(after);
      },
      { timeout: 15_000, interval: 5 },
    );
  };
  let during: () => Promise<unknown> = async () => {};
  // As a command: what it changes is unknown, and it may change every file.
  const command = defineTool({
    name: "command",
    description: "Runs.",
    input: { type: "object" },
    execute: async () => void (await during()),
  });
  const look = defineTool({
    name: "look",
    description: "Looks.",
    input: { type: "object" },
    annotations: { readOnlyHint: true },
    execute: async () => void (await during()),
  });
  const editor = { files };
  const tools = [readTool(root, editor), writeTool(root, editor), editTool(root, editor), command, look];
  const provider = scripted(answers);
  const store = memoryStore();
  const make = (): Agent => {
    const agent: Agent = createAgent({
      provider,
      store,
      tools,
      execution: { approval: { policy: { otherwise: "allow" } } },
      hooks: [
        changedFilesHook({
          base: root.base,
          isReadOnly: (name) => name === "read" || name === "look",
          send: (to, notice, id) => agent.send(to, notice, { id }),
        }),
      ],
    });
    return agent;
  };
  const told = async () => toldIn(await store.load(here));
  return {
    agent: make(),
    again: make,
    provider,
    store,
    path,
    change,
    told,
    whileRuns(work: typeof during) {
      during = work;
    },
  };
}

function toldIn(log: readonly LogEvent[]): UserEvent[] {
  return log.filter((event): event is UserEvent => event.type === "user" && event.origin === "notice");
}

describe("a file that has changed outside of the conversation", () => {
  it("is told once at the begin of the next turn, by another process, too, as one notice of all files", async () => {
    const { agent, again, change, told, provider } = await world([
      block(read("a.txt"), read("b.txt")),
      "Read.<end>",
      "Yes.<end>",
      "No.<end>",
    ]);
    await agent.ask("go", here);
    expect(await told()).toEqual([]);
    await change("a.txt", "changed");
    await change("b.txt", "changed");
    await again().ask("and now?", here);
    const [notice, ...rest] = await told();
    expect(rest).toEqual([]);
    expect(notice).toMatchObject({ sources: [{ source: "files", count: 2 }] });
    expect(notice?.content.split("\n").slice(1).toSorted()).toEqual([
      '- files: "a.txt" has changed since you read or wrote it.',
      '- files: "b.txt" has changed since you read or wrote it.',
    ]);
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain("has changed since");
    await again().ask("and now?", here);
    expect(await told()).toHaveLength(1);
    await change("a.txt", "changed again");
    provider.assertDone();
  });

  it("is told between two steps, before the next request, while the model only looks", async () => {
    const { agent, change, told, whileRuns, provider } = await world([
      block(read("a.txt")),
      block(["look", {}]),
      "Seen.<end>",
    ]);
    whileRuns(() => change("a.txt", "changed"));
    await agent.ask("go", here);
    expect(await told()).toMatchObject([{ sources: [{ source: "files", count: 1 }] }]);
    expect(JSON.stringify(provider.requests[2]?.messages)).toContain("has changed since");
  });

  it("is told again when it changes again, and not once the model has read it anew", async () => {
    const { agent, change, told, provider } = await world([
      block(read("a.txt")),
      "Read.<end>",
      "I see.<end>",
      block(read("a.txt")),
      "Read.<end>",
      "Still so.<end>",
    ]);
    await agent.ask("go", here);
    await change("a.txt", "second");
    await agent.ask("go", here);
    await change("a.txt", "third");
    await agent.ask("read it again", here);
    expect(await told()).toHaveLength(2);
    await agent.ask("and?", here);
    expect(await told()).toHaveLength(2);
    provider.assertDone();
  });

  it.each<[string, Call]>([
    ["the agent has written", write],
    ["the agent has edited", edit],
    ["a command of the agent has changed", ["command", {}]],
  ])("but that %s is not told", async (_, call) => {
    const { agent, again, change, told, whileRuns, path, provider } = await world([
      block(read("a.txt")),
      block(call),
      "Done.<end>",
      "Yes.<end>",
    ]);
    whileRuns(() => change("a.txt", "by the command"));
    await agent.ask("go", here);
    expect(readFileSync(path("a.txt"), "utf8")).not.toBe("one");
    await again().ask("and?", here);
    expect(await told()).toEqual([]);
    provider.assertDone();
  });

  it("but what an editor has written for the agent is not told, and what the person saves there is", async () => {
    const buffers = new Map<string, string>();
    const editor: TextFiles = {
      read: async (file) => buffers.get(file) ?? readFileSync(file, "utf8"),
      async write(file, text) {
        buffers.set(file, text);
        writeFileSync(file, text);
      },
    };
    const { agent, again, change, told, path, provider } = await world(
      [block(read("a.txt")), block(edit), "Done.<end>", "Yes.<end>", "I see.<end>"],
      editor,
    );
    await agent.ask("go", here);
    expect(readFileSync(path("a.txt"), "utf8")).toBe("two");
    await again().ask("and?", here);
    expect(await told()).toEqual([]);
    buffers.set(path("a.txt"), "by the person");
    await change("a.txt", "by the person");
    await again().ask("and now?", here);
    expect(await told()).toMatchObject([{ sources: [{ source: "files", count: 1 }] }]);
    provider.assertDone();
  });

  it("that the conversation has never seen, or that is gone, is not told", async () => {
    const { agent, change, told, path } = await world([block(read("a.txt")), "Read.<end>", "Yes.<end>"]);
    await agent.ask("go", here);
    rmSync(path("a.txt"));
    await change("b.txt", "changed");
    await agent.ask("and?", here);
    expect(await told()).toEqual([]);
  });

  it("wakes nobody: a conversation that has answered stays as it is", async () => {
    const { agent, change, store, provider } = await world([block(read("a.txt")), "Read.<end>"]);
    await agent.ask("go", here);
    await change("a.txt", "changed");
    await agent.sweep();
    expect(await store.inbox(here)).toEqual([]);
    provider.assertDone();
  });

  it("is one of many: ten are named, the others counted", async () => {
    const files = Array.from({ length: 30 }, (_, index) => `f${index}.txt`);
    const reads = [0, 10, 20].map((from) => block(...files.slice(from, from + 10).map(read)));
    const { agent, change, told, path } = await world([...reads, "Read.<end>", "Yes.<end>"]);
    for (const file of files) writeFileSync(path(file), "one");
    await agent.ask("go", here);
    for (const file of files) await change(file, "changed");
    await agent.ask("and?", here);
    const [notice] = await told();
    expect(notice?.content.match(/"f\d+\.txt" has changed/g)).toHaveLength(10);
    expect(notice?.content).toContain("20 more files have changed");
  });
});
