import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ConversationSummary, memoryStore, type Store } from "@cogency/storage";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { place } from "../../../test/support/command-line.ts";
import { findConversation, latestIn } from "./find-conversation.ts";

const many = 50_000;
/** Of one page of a list. */
const mostAtOnce = 1000;

/** A store of 50,000 conversations, `c49999` the latest, that makes what it is asked for and counts that. */
function countingStore() {
  const counts = { lists: 0, largest: 0, summaries: 0 };
  const indexOf = (name: string) => (/^c\d+$/.test(name) && Number(name.slice(1)) < many ? Number(name.slice(1)) : -1);
  const summaryOf = (index: number): ConversationSummary => ({
    conversation: `c${index}`,
    title: `words ${index}`,
    events: 1,
    createdAt: index,
    updatedAt: index,
  });
  const store: Store = {
    ...memoryStore(),
    async conversations({ limit = 50, before } = {}) {
      const from = before === undefined ? many : indexOf(before);
      const found = Array.from({ length: Math.max(0, Math.min(limit, from)) }, (_, at) => summaryOf(from - 1 - at));
      counts.lists++;
      counts.summaries += found.length;
      counts.largest = Math.max(counts.largest, found.length);
      return found;
    },
    async load({ conversation }, { types } = {}) {
      if (indexOf(conversation) < 0 || (types && !types.includes("user"))) return [];
      return [{ type: "user", content: "words", timestamp: 1, seq: 1 }];
    },
  };
  return { store, counts };
}

async function importedApp() {
  return {
    ...(await import("../../chat/slash/slash-commands.ts")),
    ...(await import("../../commands/completion/complete.ts")),
    ...(await import("../../work/export/export.ts")),
    ...(await import("../../commands/history/list.ts")),
    ...(await import("../../commands/history/rename.ts")),
    ...(await import("../../commands/history/show.ts")),
    ...(await import("../../commands/rewind.ts")),
    ...(await import("../../commands/trace/trace-command.ts")),
    ...(await import("../../person/pick-conversation.ts")),
    ...(await import("../../program/program.ts")),
  };
}

describe("of 50,000 conversations", () => {
  let { store, counts } = countingStore();
  let app: Awaited<ReturnType<typeof importedApp>>;
  beforeAll(async () => {
    // The adapter of the file is replaced by a store that counts: the commands are the real ones. Other tests have loaded both.
    vi.resetModules();
    vi.doMock("@cogency/storage-sqlite", () => ({ sqliteStore: async () => store }));
    app = await importedApp();
  });
  afterAll(() => {
    vi.doUnmock("@cogency/storage-sqlite");
    vi.resetModules();
  });
  let file = "";
  let written = "";
  beforeEach(() => {
    ({ store, counts } = countingStore());
    written = "";
    file = join(place().folder, "many.db");
    writeFileSync(file, "");
    vi.stubEnv("COGENCY_STORE", file);
    const put = (text: unknown, done?: unknown) => {
      written += text;
      if (typeof done === "function") done();
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(put as never);
    vi.spyOn(process.stderr, "write").mockImplementation(() => true);
    onTestFinished(() => {
      vi.restoreAllMocks();
      vi.unstubAllEnvs();
    });
  });

  const lines = () => written.split("\n").length - 1;
  const none = /There is no conversation "no such"/;
  const { signal } = new AbortController();
  const view = { list: (rows: readonly unknown[]) => (written += "row\n".repeat(rows.length)), remark() {} };
  const talk = { session: { store: async () => store }, view } as never;

  /** What a command reads of the list, and that it did what it is for. */
  const commands: Record<string, [summaries: number, use: () => Promise<unknown>]> = {
    "history list": [
      // A page, because most of it may be of agents.
      50,
      async () => expect([await app.listHistory({ store: file, limit: 20 }), lines()]).toEqual([undefined, 21]),
    ],
    "history list --limit 60000": [
      many,
      async () =>
        expect([await app.listHistory({ store: file, limit: 60_000 }), lines()]).toEqual([undefined, many + 1]),
    ],
    "history list --limit 60000 --json": [
      many,
      async () =>
        expect([await app.listHistory({ store: file, limit: 60_000, json: true }), lines()]).toEqual([undefined, many]),
    ],
    "history export": [
      many + 500,
      async () => {
        await app.exportHistory([], { store: file }, signal);
        expect(lines()).toBe(2 * many);
        expect(written).toMatch(/^\{[^\n]*"c0"/);
      },
    ],
    "history show": [many, () => expect(app.showHistory("no such", { store: file })).rejects.toThrow(none)],
    "history rename": [many, () => expect(app.renameHistory("no such", "x", { store: file })).rejects.toThrow(none)],
    trace: [many, () => expect(app.traceCommand("no such", { store: file })).rejects.toThrow(none)],
    "an oldest one by the words of its title": [
      many,
      async () => expect(await findConversation("words 7", store, file).catch(String)).toMatch(/several.*\n.*c7/s),
    ],
    "rewind, and what goes on in a folder": [
      many,
      () =>
        expect(app.rewind(undefined, { store: file, access: "project", yes: true })).rejects.toThrow(
          "was begun in this folder",
        ),
    ],
    "the latest of a folder": [many, async () => expect(await latestIn("elsewhere", store)).toBeUndefined()],
    "the picker of --resume": [
      1000,
      () => expect(app.pickConversation(file)).rejects.toThrow(/The latest:\n {2}c49999/),
    ],
    "completion of a name": [
      50,
      async () => {
        await app.complete(
          app.createProgram({} as never, () => {}),
          ["run", "--resume", "c4999"],
        );
        expect(written).toContain("c49999\twords 49999\n");
      },
    ],
    "/history 9999": [
      9999,
      async () => expect([await app.slashCommand("history").run(talk, "9999"), lines()]).toEqual([undefined, 9999]),
    ],
    "completion of /resume": [
      20,
      async () => expect(await app.slashCommand("resume").complete?.(talk)).toHaveLength(20),
    ],
  };

  it.each(Object.entries(commands))("is read in pages by %s", async (_, [summaries, use]) => {
    await use();
    // A message that names the latest ones reads five more.
    expect([summaries, summaries + 5]).toContain(counts.summaries);
    expect(counts.largest).toBeLessThanOrEqual(mostAtOnce);
  });
});
