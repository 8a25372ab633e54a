import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { type AcpOpening, RequestRefused } from "../src/index.ts";
import { editor } from "./support/editor.ts";
import { site } from "./support/site.ts";

/** Sessions belong to `/project`. */
async function inProject({ cwd }: AcpOpening): Promise<void> {
  if (cwd !== "/project") throw new RequestRefused("This conversation belongs to the folder /project.");
}

function picky() {
  const store = memoryStore();
  const one = site(["Hello!<end>", "Again!<end>"], { store });
  const agent = async () => one.agent;
  const two = site([], {
    store,
    acp: {
      open: async (opening) => {
        await inProject(opening);
        return { agent, close: async () => {} };
      },
      fork: async (session, as) => void (await one.agent.fork(session, { as })),
      list: async ({ cursor }) => {
        if (cursor !== undefined) throw new RequestRefused("There is no such page.");
        return { sessions: [] };
      },
    },
  });
  return { store, here: editor(two.acp) };
}

describe("a session that is open", () => {
  it.each(["session/load", "session/resume"])("stays when %s of it fails", async (method) => {
    const { here } = picky();
    const sessionId = await here.open();
    await here.prompt(sessionId, "Hi");
    const again = here.agent.request(method, { sessionId, cwd: "/elsewhere", mcpServers: [] });
    await expect(again).rejects.toMatchObject({ code: -32602, message: expect.stringContaining("/project") });
    expect(await here.prompt(sessionId, "And?")).toEqual({ stopReason: "end_turn" });
    await here.agent.request("session/close", { sessionId });
  });

  it("is opened once more by two loads at the same time, one after the other", async () => {
    const { here } = picky();
    const sessionId = await here.open();
    await here.prompt(sessionId, "Hi");
    const load = () => here.agent.request("session/load", { sessionId, cwd: "/project", mcpServers: [] });
    await Promise.all([load(), load()]);
    expect(await here.prompt(sessionId, "And?")).toEqual({ stopReason: "end_turn" });
  });
});

it("a fork that cannot be opened leaves no copy behind", async () => {
  const { here, store } = picky();
  const sessionId = await here.open();
  await here.prompt(sessionId, "Hi");
  await expect(here.agent.request("session/fork", { sessionId, cwd: "/" })).rejects.toMatchObject({ code: -32602 });
  expect((await store.conversations()).map(({ conversation }) => conversation)).toEqual([sessionId]);
  expect(await here.prompt(sessionId, "And?")).toEqual({ stopReason: "end_turn" });
});

describe("a request that the host refuses", () => {
  it("is answered as a wrong one, with the sentence of the host", async () => {
    const { here } = picky();
    await here.initialize();
    await expect(here.agent.request("session/new", { cwd: "/none", mcpServers: [] })).rejects.toMatchObject({
      code: -32602,
      message: "This conversation belongs to the folder /project.",
    });
    await expect(here.agent.request("session/list", { cursor: "x" })).rejects.toMatchObject({
      code: -32602,
      message: "There is no such page.",
    });
  });

  it("is a list of a folder without a root, too", async () => {
    const { here } = picky();
    await here.initialize();
    await expect(here.agent.request("session/list", { cwd: "src" })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("absolute path"),
    });
  });

  it("is a fault of the agent for any other error, which is bounded and shows what a screen does not", async () => {
    const open = async () => {
      throw new Error(`ENAMETOOLONG \u202e${"a".repeat(10_000)}`);
    };
    const here = editor(site([], { acp: { open } }).acp);
    await here.initialize();
    const made = here.agent.request("session/new", { cwd: "/project", mcpServers: [] });
    const error: unknown = await made.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: -32603, message: expect.stringMatching(/^ENAMETOOLONG \\u202ea+…$/) });
    expect((error as Error).message.length).toBeLessThanOrEqual(2000);
  });
});
