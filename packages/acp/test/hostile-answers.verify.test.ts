import { describe, expect, it } from "vitest";
import type { Editor } from "../src/index.ts";
import { callOf, site, writeCall } from "./support/site.ts";
import { wild } from "./support/wild-client.ts";

const prompt = (sessionId: string) => ({
  method: "session/prompt",
  params: { sessionId, prompt: [{ type: "text", text: "hi" }] },
});

/** Answers that the protocol does not have, to any request. */
const nothing: [string, object][] = [
  ["null", { result: null }],
  ["nothing", { result: {} }],
  ["a text", { result: "yes" }],
  ["a list", { result: [] }],
  ["neither a result nor an error", {}],
  ["both a result and an error", { result: {}, error: { code: 1, message: "x" } }],
  ["an error that is a text", { error: "no" }],
];

const permissions: [string, object][] = [
  ...nothing,
  ["an outcome that is a text", { result: { outcome: "selected" } }],
  ["an outcome that is null", { result: { outcome: null } }],
  ["an option that is a number", { result: { outcome: { outcome: "selected", optionId: 0 } } }],
  ["no option", { result: { outcome: { outcome: "selected" } } }],
  ["an option that was not offered", { result: { outcome: { outcome: "selected", optionId: "__proto__" } } }],
  ["an outcome that there is not", { result: { outcome: { outcome: "allow", optionId: "allow" } } }],
];

const forms: [string, object][] = [
  ...nothing,
  ["an action that is a number", { result: { action: 1 } }],
  ["a content that is a text", { result: { action: "accept", content: "green" } }],
  ["a content that is a list", { result: { action: "accept", content: ["green"] } }],
  ["a field that is an object", { result: { action: "accept", content: { colour: { a: 1 } } } }],
  ["an action that there is not", { result: { action: "dance" } }],
];

describe("an editor that answers a question for approval with", () => {
  it.each(permissions)("%s has denied the call, and the turn goes on", async (_, answer) => {
    const client = await wild(site([writeCall, "Not done.<end>", "Again.<end>"]));
    const session = await client.begin();
    await client.send({ jsonrpc: "2.0", id: 5, ...prompt(session) });
    const { id } = await client.asked("session/request_permission");
    await client.send({ jsonrpc: "2.0", id, ...answer });
    expect((await client.answerTo(5)).result).toEqual({ stopReason: "end_turn" });
    expect(client.written).toEqual([]);
    expect((await client.ask(6, prompt(session))).result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
  });
});

describe("an editor that answers a form with", () => {
  it.each(forms)("%s has declined it, and the turn goes on", async (_, answer) => {
    const client = await wild(site([callOf("paint"), "Not painted.<end>", "Again.<end>"]));
    const session = await client.begin({ elicitation: { form: {} } });
    await client.send({ jsonrpc: "2.0", id: 5, ...prompt(session) });
    const { id } = await client.asked("elicitation/create");
    await client.send({ jsonrpc: "2.0", id, ...answer });
    expect((await client.answerTo(5)).result).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(client.answers)).not.toContain("painted green");
    expect((await client.ask(6, prompt(session))).result).toEqual({ stopReason: "end_turn" });
    await client.connection.close();
  });
});

/** What a tool may ask of an editor, and the method that the editor answers. */
const services: Readonly<Record<string, [method: string, use: (editor: Editor) => Promise<unknown>]>> = {
  "reading a file": ["fs/read_text_file", async ({ files }) => files?.read?.("/project/a.txt")],
  "a new terminal": ["terminal/create", async ({ terminals }) => terminals?.start({ command: "ls" })],
};

describe.each(Object.entries(services))("an editor that answers a request for %s with", (_, [method, use]) => {
  it.each(nothing)("%s has failed, and says which request", async (_answer, answer) => {
    const client = await wild();
    await client.begin({ fs: { readTextFile: true }, terminal: true });
    const used = use(client.openings[0]?.editor as Editor);
    used.catch(() => {});
    const { id } = await client.asked(method);
    await client.send({ jsonrpc: "2.0", id, ...answer });
    await expect(used).rejects.toThrow(/no answer to it|Invalid request/);
    await client.connection.close();
  });
});

describe("an editor's terminal whose", () => {
  it.each([
    ["output has no text", "terminal/output", { truncated: false }],
    ["output does not say whether it is cut", "terminal/output", { output: "x" }],
    ["exit code is a text", "terminal/wait_for_exit", { exitCode: "0" }],
    ["signal is a number", "terminal/wait_for_exit", { exitCode: null, signal: 9 }],
  ])("%s has failed", async (_, method, result) => {
    const client = await wild();
    await client.begin({ terminal: true });
    const starting = client.openings[0]?.editor.terminals?.start({ command: "ls" });
    const { id } = await client.asked("terminal/create");
    await client.send({ jsonrpc: "2.0", id, result: { terminalId: "t" } });
    const terminal = await starting;
    const used: Promise<unknown> | undefined = method === "terminal/output" ? terminal?.output() : terminal?.ended();
    used?.catch(() => {});
    const asked = await client.asked(method);
    await client.send({ jsonrpc: "2.0", id: asked.id, result });
    await expect(used).rejects.toThrow(method);
    await client.connection.close();
  });
});

it("a question that the host cannot describe is denied, and the turn goes on", async () => {
  const describe_ = async () => {
    throw new Error("The disk is full.");
  };
  const questions = { describe: describe_, keep: async () => true };
  const client = await wild(site([writeCall, "Not done.<end>"], { session: { questions } }));
  const session = await client.begin();
  expect((await client.ask(5, prompt(session))).result).toEqual({ stopReason: "end_turn" });
  expect(client.written).toEqual([]);
  expect(client.errors).toMatchObject([{ message: "The disk is full." }]);
  await client.connection.close();
});
