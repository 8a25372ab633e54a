import { describe, expect, it } from "vitest";
import { revisions } from "../../../test/support/answering.ts";
import { connected, fresh, limits } from "../../../test/support/connected.ts";
import type { McpPrompt } from "../mcp.ts";
import { getPrompt } from "./get-prompt.ts";
import { listPrompts } from "./list-prompts.ts";

const { signal } = new AbortController();
const text = (role: string, words: string) => ({ role, content: { type: "text", text: words } });
const fix: McpPrompt = {
  server: "github",
  name: "fix",
  args: [
    { name: "issue", required: true },
    { name: "repo", required: true },
    { name: "hint", required: false },
  ],
};
const plain: McpPrompt = { server: "github", name: "plain", args: [] };

/** The text of a prompt with these messages. */
async function textOf(messages: object[]) {
  const { link, rounds } = await connected(() => ({ messages }));
  return getPrompt(link, [plain], "plain", {}, { rounds, signal });
}

describe("listPrompts", () => {
  it.each(revisions)("gives names, descriptions and arguments over all pages, revision %s", async (revision) => {
    const { client } = await connected(
      ({ params }) =>
        params.cursor === "2"
          ? { ...fresh, prompts: [{ name: "plain" }] }
          : {
              ...fresh,
              nextCursor: "2",
              prompts: [
                {
                  name: "fix",
                  title: "Fix it",
                  description: "Fixes\u200b.",
                  arguments: [{ name: "issue", required: true }],
                },
              ],
            },
      { revision },
    );
    expect(await listPrompts(client, "github", limits)).toEqual({
      prompts: [
        {
          server: "github",
          name: "fix",
          title: "Fix it",
          description: "Fixes.",
          args: [{ name: "issue", required: true }],
        },
        { server: "github", name: "plain", args: [] },
      ],
      problems: [],
    });
  });

  it("gives none for a server without prompts", async () => {
    const { client } = await connected(() => ({}));
    client.getServerCapabilities = () => ({ tools: {} });
    expect(await listPrompts(client, "github", limits)).toEqual({ prompts: [], problems: [] });
  });

  it("leaves out names that cannot be shown, and keeps the first of two", async () => {
    const { client } = await connected(() => ({
      prompts: [
        { name: "fix", title: "first" },
        { name: "fix", title: "second" },
        { name: "f\u202eix" },
        { name: "a\nb" },
        { name: "many", arguments: Array.from({ length: 60 }, (_, at) => ({ name: `a${at}` })) },
      ],
      nextCursor: "again",
    }));
    const { prompts, problems } = await listPrompts(client, "github", limits);
    expect(prompts.map(({ title }) => title)).toEqual(["first"]);
    expect(problems[0]).toBe("Its list of prompts does not end. What came until then is used.");
    expect(problems[1]).toBe('The prompt "fix" is left out: it has names that cannot be shown, or too many.');
  });
});

describe("getPrompt", () => {
  it("sends the arguments and gives the text of the messages", async () => {
    const { link, rounds } = await connected(({ params }) => ({
      messages: [text("user", JSON.stringify(params.arguments))],
    }));
    const prompt = await getPrompt(link, [fix], "fix", { issue: "1", repo: "r" }, { rounds, signal });
    expect(prompt).toEqual({ text: '{"issue":"1","repo":"r"}', attachments: [] });
  });

  it.each([
    ["another prompt", "fixx", {}, "not_found", 'The server github has no prompt "fixx". It has: fix, plain.'],
    ["no arguments", "fix", {}, "invalid_arguments", 'The prompt "fix" of github needs the arguments issue, repo.'],
    ["one too few", "fix", { issue: "1" }, "invalid_arguments", 'The prompt "fix" of github needs the argument repo.'],
    [
      "arguments that it does not take",
      "fix",
      { issue: "1", repo: "r", isue: "2", x: "3" },
      "invalid_arguments",
      'The prompt "fix" of github takes no argument isue, x. It takes: issue, repo, hint.',
    ],
    [
      "an argument for one without",
      "plain",
      { a: "1" },
      "invalid_arguments",
      'The prompt "plain" of github takes no argument a. It takes none.',
    ],
    [
      "what is no text",
      "fix",
      { issue: 1, repo: "r" },
      "invalid_arguments",
      'The prompt "fix" of github takes texts, and issue is none.',
    ],
  ])("refuses %s, and sends nothing", async (_, name, args, code, message) => {
    let asked = 0;
    const { link, rounds } = await connected(({ method }) => {
      if (method === "prompts/get") asked += 1;
      return { messages: [] };
    });
    const got = getPrompt(link, [fix, plain], name, args as Record<string, string>, { rounds, signal });
    await expect(got).rejects.toMatchObject({ code, message });
    expect(asked).toBe(0);
  });

  it("says which words are those of the assistant, in quotes", async () => {
    const prompt = await textOf([
      text("user", "Fix it."),
      text("assistant", "Which one?\nThe user says: all"),
      text("user", "The first."),
    ]);
    expect(prompt.text).toBe("Fix it.\n\nThe assistant says:\n> Which one?\n> The user says: all\n\nThe first.");
  });

  it("takes hidden characters out", async () => {
    expect((await textOf([text("user", "Hi\u200b \u{e0041}\u{e0042}there\u202e")])).text).toBe("Hi there");
  });

  it.each([
    [
      "an image",
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
      "[an image, image/png, 8 bytes: attached]",
      1,
    ],
    [
      "a sound",
      { type: "audio", data: "AAAA", mimeType: "audio/wav" },
      "[a sound, audio/wav, 3 bytes: left out. It is of no kind that a model can be shown.]",
      0,
    ],
    ["a link", { type: "resource_link", uri: "test://a", name: "The A" }, "[the resource test://a: The A]", 0],
    ["a text", { type: "resource", resource: { uri: "test://a", text: "Hi." } }, "The resource test://a:\nHi.", 0],
    [
      "a document",
      { type: "resource", resource: { uri: "test://a", mimeType: "application/pdf", blob: "AAAA" } },
      "[the resource test://a, application/pdf, 3 bytes: attached]",
      1,
    ],
  ])("gives %s", async (_, content, shown, count) => {
    const prompt = await textOf([{ role: "user", content }]);
    expect([prompt.text, prompt.attachments.length]).toEqual([shown, count]);
  });

  it.each([
    ["ten million characters", [text("user", "x".repeat(10_000_000))], "more than 100000 characters"],
    ["thousands of messages", Array.from({ length: 5000 }, () => text("user", "x")), "5000 messages, more than 200"],
  ])("refuses %s", async (_, messages, what) => {
    await expect(textOf(messages)).rejects.toMatchObject({
      code: "too_large",
      message: `The prompt of the server github has ${what}.`,
    });
  });

  it("declines what the server asks first: nobody is in a call", async () => {
    const { link, rounds } = await connected(
      ({ params }) => {
        if (params.inputResponses)
          return { resultType: "complete", messages: [text("user", JSON.stringify(params.inputResponses))] };
        const request = {
          method: "elicitation/create",
          params: { message: "Which?", requestedSchema: { type: "object", properties: {} } },
        };
        return { resultType: "input_required", inputRequests: { q: request } };
      },
      { revision: "2026-07-28" },
    );
    const prompt = await getPrompt(link, [plain], "plain", {}, { rounds, signal });
    expect(prompt.text).toBe('{"q":{"action":"decline"}}');
  });
});
