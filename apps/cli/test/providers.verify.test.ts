import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { fixtures, place } from "./support/command-line.ts";
import { trustFolder } from "./support/trust-folder.ts";

describe("--provider", () => {
  const options = ["--model", "m1", "--base-url", "http://127.0.0.1:9/v1"];
  const answer = "model m1, server http://127.0.0.1:9/v1\n";

  it.each([
    ["a package folder", "./provider", "provider"],
    ["a folder given with a slash and no dot", "lib/provider", "lib/provider"],
    ["the name of an installed package", "conditional-provider", "node_modules/conditional-provider"],
    ["a scoped name", "@acme/provider", "node_modules/@acme/provider"],
  ])("loads %s and passes the given options", async (_, provider, folder) => {
    const at = place();
    cpSync(join(fixtures, "conditional-provider"), join(at.folder, folder), { recursive: true });
    if (folder.startsWith("node_modules")) trustFolder(at.folder);
    const { code, stdout } = await at.cogency(["run", "go", "--provider", provider, ...options]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: answer });
  });

  it("passes only the options that were given", async () => {
    const { stdout } = await place().cogency(["run", "go", "--provider", join(fixtures, "conditional-provider")]);
    expect(stdout).toBe("model none, server none\n");
  });

  it("loads a package of the older kind, CommonJS with main", async () => {
    const at = place();
    mkdirSync(join(at.folder, "old"));
    writeFileSync(join(at.folder, "old", "package.json"), '{ "main": "main.js" }');
    writeFileSync(
      join(at.folder, "old", "main.js"),
      `Object.defineProperty(exports, "__esModule", { value: true });
       exports.default = () => ({
         name: "old", model: "old-1", capabilities: {},
         async *stream() { yield { type: "text", text: "I am old." }; yield { type: "finish", reason: "stop" }; },
       });`,
    );
    expect((await at.cogency(["run", "go", "--provider", "./old"])).stdout).toBe("I am old.\n");
  });

  it("finds a package that is installed beside the command", async () => {
    const { stdout } = await place().cogency(["run", "read notes.txt", "--provider", "@cogency/provider-offline"]);
    expect(stdout).toContain("hello from the notes");
  });

  it("loads the example provider by its path", async () => {
    const example = fileURLToPath(new URL("../../example-provider", import.meta.url));
    const { code, stdout } = await place().cogency(["run", "hello there", "--provider", example]);
    expect(code).toBe(0);
    expect(stdout).toContain("hello there");
  });
});

describe("a package by its name", () => {
  const install = (folder: string) =>
    cpSync(join(fixtures, "conditional-provider"), join(folder, "node_modules", "gemini"), { recursive: true });

  it("is loaded from the project, and stderr names the file", async () => {
    const at = place();
    mkdirSync(join(at.folder, ".git"));
    mkdirSync(join(at.folder, "inner"));
    install(at.folder);
    const run = ["run", "go", "--provider", "gemini"];
    const untrusted = await at.cogency(run, { cwd: join(at.folder, "inner") });
    expect(untrusted).toMatchObject({ code: 2, stdout: "" });
    expect(untrusted.stderr).toMatch(
      /^error: .* not trusted\. Give its path, --provider \.\.\/node_modules\/gemini, or .*cogency trust /,
    );
    trustFolder(at.folder);
    const { stdout, stderr } = await at.cogency(run, { cwd: join(at.folder, "inner") });
    expect(stdout).toBe("model none, server none\n");
    const file = join("node_modules", "gemini", "lib", "index.js");
    expect(stderr.split("\n")[0]).toMatch(/^The provider "gemini" is \S+\.$/);
    expect(stderr.split("\n")[0]).toContain(file);
  });

  it("is not loaded from above the project", async () => {
    const at = place();
    const project = join(at.folder, "project");
    mkdirSync(join(project, ".git"), { recursive: true });
    install(at.folder);
    const { code, stderr } = await at.cogency(["run", "go", "--provider", "gemini"], { cwd: project });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Unknown provider "gemini"') });
  });

  it.skipIf(process.platform === "win32")("is not loaded if every user could have written it", async () => {
    const at = place();
    install(at.folder);
    trustFolder(at.folder);
    chmodSync(join(at.folder, "node_modules", "gemini", "lib", "index.js"), 0o666);
    for (const provider of ["gemini", "./node_modules/gemini"]) {
      const { code, stderr } = await at.cogency(["run", "go", "--provider", provider]);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(/is not loaded: every user may write to/),
      });
    }
  });
});

describe("a key", () => {
  const environment = {
    OPENAI_API_KEY: "canary-of-openai",
    ANTHROPIC_API_KEY: "canary-of-anthropic",
    ANTHROPIC_AUTH_TOKEN: "canary-token",
    OPENROUTER_API_KEY: "canary-of-openrouter",
    GEMINI_API_KEY: "canary-of-google",
    GOOGLE_API_KEY: "canary-of-google-too",
    MINE: "key-of-mine",
  };

  it.each([
    ["--base-url", ["--base-url"], {}],
    ["--base-url and --provider anthropic", ["--provider", "anthropic", "--base-url"], {}],
    ["--base-url and --provider google", ["--provider", "google", "--base-url"], {}],
    ["OPENAI_BASE_URL", ["--provider", "openai"], "OPENAI_BASE_URL"],
    ["GOOGLE_GEMINI_BASE_URL", ["--provider", "google"], "GOOGLE_GEMINI_BASE_URL"],
  ])(
    "of another server is not sent to the address in %s, but a key that is named for it is",
    async (_, options, variable) => {
      const headers: IncomingHttpHeaders[] = [];
      // Whatever is asked: a refusal, which no wire tries again.
      const { url } = await serve((request, response) => {
        headers.push(request.headers);
        response.writeHead(400).end();
      });
      const address = options.at(-1) === "--base-url" ? [url] : [];
      const env = { ...environment, ...(typeof variable === "string" && { [variable]: url }) };
      const run = ["run", "hi", "--model", "m", ...options, ...address];
      await place().cogency(run, { env });
      expect(headers.length).toBeGreaterThan(0);
      expect(JSON.stringify(headers)).not.toContain("canary");
      await place().cogency([...run, "--api-key-env", "MINE"], { env });
      expect(JSON.stringify(headers)).toContain("key-of-mine");
      expect(JSON.stringify(headers)).not.toContain("canary");
    },
  );
});

describe("a conversation that changes its model", () => {
  it("continues after the offline model with OpenAI's wire, each request beginning like the one before", async () => {
    const { cogency } = place();
    const server = await chatServer([
      '<execute>[{"name":"list","args":{"path":"."}}]</execute>',
      "Done.",
      "Still here.",
    ]);
    const talk = ["--conversation", "talk"];
    const openai = ["--provider", "openai", "--base-url", server.url, "--model", "tiny", ...talk];
    await cogency(["run", "read notes.txt", "--provider", "offline", ...talk]);
    const { stdout, stderr } = await cogency(["run", "and list the folder", ...openai]);
    expect({ stdout, stderr }).toEqual({ stdout: "Done.\n", stderr: expect.stringContaining("✓ list") });
    expect((await cogency(["run", "are you there?", ...openai])).stdout).toBe("Still here.\n");

    const [first = [], second = [], third = []] = server.requests;
    expect(JSON.stringify(first)).toContain("hello from the notes");
    expect(second.slice(0, first.length)).toEqual(first);
    expect(third.slice(0, second.length)).toEqual(second);
    expect(third.length).toBeGreaterThan(second.length);
    expect(server.requests).toHaveLength(3);
  });

  it("uses the one model of the server if only --base-url is given", async () => {
    const server = await chatServer(["Hello."], ["tiny"]);
    const { stdout, stderr } = await place().cogency(["run", "hi", "--base-url", server.url]);
    expect(stdout).toBe("Hello.\n");
    expect(stderr).toMatch(/^127\.0\.0\.1:\d+ has one model: tiny$/m);
    expect(server.models).toEqual(["tiny"]);
  });

  it.each<[models: string[] | undefined, says: RegExp]>([
    [["big", "tiny"], /has several models; name one with --model: big, tiny\.$/m],
    [[], /has no model yet: load one there, and name it with --model\.$/m],
    [
      undefined,
      /--model is missing, and 127\.0\.0\.1:\d+ did not say which models it has: .*404.* Name the model with --model\.$/m,
    ],
  ])("asks for --model where the server has the models %j, and sends no prompt", async (models, says) => {
    const server = await chatServer(["Hello."], models);
    const { code, stderr } = await place().cogency(["run", "hi", "--base-url", server.url]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) });
    expect(server.requests).toEqual([]);
  });

  it("prints a command that goes on with the same model at the same server", async () => {
    const server = await chatServer(["Hello.", "Still here."], ["tiny"]);
    const at = place();
    const { stderr } = await at.cogency([
      "run",
      "hi",
      "--base-url",
      server.url,
      "--model",
      "tiny",
      "--conversation",
      "c",
    ]);
    const [, hint = ""] = /^cogency (--resume .*)$/m.exec(stderr) ?? [];
    expect(hint).toBe(`--resume c --model tiny --base-url ${server.url}`);
    expect((await at.cogency([...hint.split(" "), "are you there?"])).stdout).toBe("Still here.\n");
  });
});

/**
 * Serves Chat Completions: gives the answers in order, and keeps the messages and the names of models that it receives. Lists the models
 * that are given; else it has no such path.
 */
async function chatServer(answers: readonly string[], listed?: readonly string[]) {
  const requests: object[][] = [];
  const headers: object[] = [];
  const models: string[] = [];
  const { url } = await serve(async (request, response) => {
    let body = "";
    headers.push(request.headers);
    if (request.method === "GET") {
      response.writeHead(listed ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: listed?.map((id) => ({ id })) }));
      return;
    }
    for await (const chunk of request) body += chunk;
    const content = answers[requests.length] ?? "There are no more answers.";
    requests.push(JSON.parse(body).messages);
    models.push(JSON.parse(body).model);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "tiny" };
    for (const choice of [{ delta: { content } }, { delta: {}, finish_reason: "stop" }]) {
      response.write(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, ...choice }] })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  return { url: `${url}/v1`, requests, headers, models };
}
