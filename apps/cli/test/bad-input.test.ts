import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { closedPort, serve } from "@tooling/loopback";
import { describe, expect, it } from "vitest";
import { fixtures, models, type Place, place } from "./support/command-line.ts";

const offline = ["--provider", "offline"];
const scriptOf = (model: string) => ["--provider", models, "--model", model];

interface Case {
  name: string;
  args: string[] | ((place: Place) => string[] | Promise<string[]>);
  code: number;
  says: RegExp[];
  env?: Record<string, string>;
  /** Must not appear on stderr. */
  hides?: RegExp;
  /** The most lines on stderr. Defaults to two. */
  lines?: number;
}

const cases: Case[] = [
  {
    name: "an unknown command",
    args: ["rum"],
    code: 2,
    says: [/unknown command 'rum'/, /Did you mean cogency run/],
    lines: 3,
  },
  { name: "an unknown option", args: ["run", "x", "--jsn"], code: 2, says: [/unknown option '--jsn'/], lines: 3 },
  { name: "no prompt", args: ["run"], code: 2, says: [/no prompt/, /--resume/] },
  { name: "--yes with --deny", args: ["run", "x", "--yes", "--deny"], code: 2, says: [/'--deny'.*'--yes'/] },
  { name: "an unknown access", args: ["run", "x", "--access", "all"], code: 2, says: [/sandbox, project, system/] },
  {
    name: "an unknown tool",
    args: ["run", "x", "--tools", "read,rite"],
    code: 2,
    says: [/--tools: there is no tool "rite"\. There are read, write, .*, read_result/],
  },
  {
    name: "an unknown tool to allow",
    args: ["run", "x", ...offline, "--allow", "all"],
    code: 2,
    says: [/--allow: there is no tool "all"/],
  },
  {
    name: "a rule that would allow more than it says",
    args: ["run", "x", ...offline, "--sandbox", "off", "--allow", "shell:npm *"],
    code: 2,
    says: [/^error: --allow: .*npm/],
  },
  {
    name: "--resume without a conversation",
    args: ["run", "--resume"],
    code: 2,
    says: [/There is no conversation yet/],
  },
  {
    name: "--resume of one conversation and --conversation of another",
    args: ["run", "x", "--resume", "d", "--conversation", "c"],
    code: 2,
    says: [/both name a conversation/],
  },
  {
    name: "--resume of a conversation that is not there",
    args: ["run", "--resume", "--conversation", "c", ...offline],
    code: 2,
    says: [/no conversation "c" in .*cogency\.db/],
  },
  ...[
    { BRAVE_API_KEY: "can ary" },
    { TAVILY_API_KEY: "canary\n" },
    { SEARXNG_URL: "canary" },
    { SEARXNG_URL: "http://me:canary@127.0.0.1/" },
    { SEARXNG_URL: "file:///canary" },
  ].map((env) => ({
    name: `a search service that cannot be: ${Object.keys(env)}`,
    args: ["run", "x", ...offline],
    code: 2,
    env,
    says: [new RegExp(`^error: ${Object.keys(env)}`)],
    hides: /can ?ary/,
  })),
  { name: "an empty prompt", args: ["run", "  "], code: 2, says: [/prompt is empty/] },
  { name: "an empty stdin as the prompt", args: ["run", "-"], code: 2, says: [/Stdin held no prompt/] },
  { name: "an unknown view", args: ["run", "x", "--stream", "words"], code: 2, says: [/token, event, none/] },
  ...["--provider", "--model", "--base-url", "--conversation", "--root", "--store", "--tools", "--allow"].map(
    (option) => ({
      name: `an empty ${option}`,
      args: ["run", "x", option, ""],
      code: 2,
      says: [new RegExp(`${option} is empty`)],
    }),
  ),
  {
    name: "a history of an empty --store",
    args: ["history", "show", "x", "--store", ""],
    code: 2,
    says: [/--store is/],
  },
  {
    name: "an unknown provider",
    args: ["run", "x", "--provider", "opnai"],
    code: 2,
    says: [/"opnai"/, /offline, openai, anthropic, google, llama, ollama/],
  },
  {
    name: "a path that is not there",
    args: ["run", "x", "--provider", "./no"],
    code: 2,
    says: [/"\.\/no" was not found/],
  },
  {
    name: "a folder given without ./",
    args: (at) => {
      mkdirSync(join(at.folder, "mine"));
      return ["run", "x", "--provider", "mine"];
    },
    code: 2,
    says: [/write "\.\/mine"/],
  },
  {
    name: "a provider that is not built",
    args: ["run", "x", "--provider", join(fixtures, "unbuilt-provider")],
    code: 2,
    says: [/is not built: its dist.index\.js does not exist\. Run its build/],
  },
  {
    name: "a provider without a default function",
    args: ["run", "x", "--provider", join(fixtures, "no-function.js")],
    code: 2,
    says: [/no default export that is a function/],
  },
  {
    name: "a provider function that throws",
    args: ["run", "x", ...scriptOf("nobody")],
    code: 2,
    says: [/could not be made: There is no model \{"model":"nobody"\}/],
  },
  {
    name: "a provider function that makes no provider",
    args: ["run", "x", "--provider", join(fixtures, "no-provider.js")],
    code: 2,
    says: [/returned no Provider/],
  },
  {
    name: "a provider file that is no program",
    args: (at) => {
      writeFileSync(join(at.folder, "broken.js"), "export default (");
      return ["run", "x", "--provider", "./broken.js"];
    },
    code: 2,
    says: [/"\.\/broken\.js" cannot be loaded/],
  },
  {
    name: "a missing key",
    args: ["run", "x", "--provider", "openai"],
    code: 2,
    says: [/cogency config key set OPENAI_API_KEY keeps one; for another server give its address with --base-url\./],
  },
  { name: "a base URL that is none", args: ["run", "x", "--base-url", "here"], code: 2, says: [/--base-url is not/] },
  {
    name: "a base URL with a password",
    args: ["run", "x", "--base-url", "http://me:hush@127.0.0.1:1/v1"],
    code: 2,
    says: [/--base-url must not hold a user name or a password/],
    hides: /me:|hush/,
  },
  {
    name: "a base URL with a password that cannot be decoded",
    args: ["run", "x", "--provider", models, "--base-url", "http://me:%zz@127.0.0.1:1/v1"],
    code: 2,
    says: [/--base-url must not hold/],
    hides: /me:|zz/,
  },
  {
    name: "a password in OPENAI_BASE_URL",
    args: ["run", "x", "--provider", "openai"],
    code: 2,
    says: [/OPENAI_BASE_URL must not hold/],
    env: { OPENAI_BASE_URL: "http://me:hush@127.0.0.1:1/v1", OPENAI_API_KEY: "k" },
    hides: /me:|hush/,
  },
  {
    name: "an ANTHROPIC_BASE_URL that is none",
    args: ["run", "x", "--provider", "anthropic"],
    code: 2,
    says: [/ANTHROPIC_BASE_URL is not an HTTP address\..* such as https:\/\/api\.anthropic\.com\.$/m],
    env: { ANTHROPIC_BASE_URL: "here", ANTHROPIC_API_KEY: "k" },
  },
  {
    name: "a missing key for Gemini",
    args: ["run", "x", "--provider", "google"],
    code: 2,
    says: [/cogency config key set GEMINI_API_KEY keeps one; for another server give its address with --base-url\./],
  },
  {
    name: "a GOOGLE_GEMINI_BASE_URL that is none",
    args: ["run", "x", "--provider", "google"],
    code: 2,
    says: [
      /GOOGLE_GEMINI_BASE_URL is not an HTTP address\..* such as https:\/\/generativelanguage\.googleapis\.com\.$/m,
    ],
    env: { GOOGLE_GEMINI_BASE_URL: "here", GEMINI_API_KEY: "k" },
  },
  {
    name: "a base URL for the offline model",
    args: ["run", "x", ...offline, "--base-url", "http://127.0.0.1:1/v1"],
    code: 2,
    says: [/leave one out/],
  },
  {
    name: "a root that is not there",
    args: ["run", "x", ...offline, "--root", "no"],
    code: 2,
    says: [/--root: .*"no"/],
  },
  {
    name: "a root that is a file",
    args: ["run", "x", ...offline, "--root", "notes.txt"],
    code: 2,
    says: [/"notes\.txt" is not a folder/],
  },
  {
    name: "a refused connection",
    args: async () => ["run", "x", "--base-url", `http://127.0.0.1:${await closedPort()}/v1`, "--model", "m"],
    code: 3,
    says: [/^! .* Try 2 begins in/, /^error: 127\.0\.0\.1:\d+ cannot be reached/m],
    lines: 4,
  },
  {
    name: "a model that writes broken markup again and again",
    args: ["run", "x", ...scriptOf("broken-markup")],
    code: 3,
    says: [/^! /, /error: The model wrote nothing that can be used 3 times/],
    lines: 5,
  },
  {
    name: "a provider that fails in its own way",
    args: ["run", "x", ...scriptOf("unscripted")],
    code: 3,
    says: [/script/],
  },
  {
    name: "a store that is a folder",
    args: ["run", "x", ...offline, "--store", "."],
    code: 5,
    says: [/\. cannot be used as a database|\./],
  },
  {
    name: "a store that is a device",
    args: ["run", "x", ...offline, "--store", "/dev/null"],
    code: 5,
    says: [/\/dev\/null cannot be used as a store: it is not a regular file/],
  },
  {
    name: "the history of a store that is a device",
    args: ["history", "show", "x", "--store", "/dev/null"],
    code: 5,
    says: [/it is not a regular file/],
  },
  {
    name: "a store that is no database",
    args: (at) => {
      writeFileSync(join(at.folder, "bad.db"), "this is plain text, and long enough to be looked at ".repeat(40));
      return ["run", "x", ...offline, "--store", "bad.db"];
    },
    code: 5,
    says: [/bad\.db is not a SQLite database/],
  },
  {
    name: "a store below a file",
    args: ["run", "x", ...offline, "--store", join("notes.txt", "deep.db")],
    code: 5,
    says: [/deep\.db cannot be used/],
  },
  {
    name: "the history of a store that is no database",
    args: ["history", "show", "x", "--store", "notes.txt"],
    code: 5,
    says: [/notes\.txt/],
  },
  { name: "a history that does not exist", args: ["history", "show", "x"], code: 2, says: [/no conversation yet/] },
  ...[["search", "x"], ["export"], ["export", "x", "--output", "new.jsonl"], ["delete", "x", "--yes"]].map((args) => ({
    name: `a store that is not there: history ${args[0]}`,
    args: ["history", ...args],
    code: 2,
    says: [/no conversation yet: .* does not exist/],
  })),
  {
    name: "a limit that is none",
    args: ["history", "list", "--limit", "0"],
    code: 2,
    says: [/--limit must be a whole number/],
  },
  { name: "a search without a word", args: ["history", "search", "!?"], code: 2, says: [/no word to search for/] },
  {
    name: "a deletion that nobody can be asked about",
    args: ["history", "delete", "x"],
    code: 2,
    says: [/no terminal to ask at\. Give --yes/],
  },
  {
    name: "an import that is not there",
    args: ["history", "import", "x.jsonl"],
    code: 2,
    says: [/x\.jsonl cannot be/],
  },
  { name: "an import of a folder", args: ["history", "import", "."], code: 2, says: [/not a regular file/] },
  { name: "an import of nothing", args: ["history", "import", "-"], code: 2, says: [/stdin line 1: it is empty/] },
  {
    name: "an import that is none",
    args: ["history", "import", "notes.txt"],
    code: 2,
    says: [/notes\.txt line 1: it is no JSON object\. Nothing was imported/],
  },
  ...["postgres://me:canary@127.0.0.1:1/app?canary", "postgresql://canary:canary@[/app"].flatMap((address) =>
    [
      ["run", "x", ...offline],
      ["history", "list"],
    ].map((args) => ({
      name: `a server that is not there: ${args[0]}, ${address.slice(0, 12)}`,
      args: [...args, "--store", address],
      env: { COGENCY_DEBUG: "" },
      code: 5,
      says: [/^error: |\nerror: /],
      hides: /canary/,
    })),
  ),
  ...[
    ["run", "x", ...offline],
    ["history", "list"],
  ].map((args) => ({
    name: `a mistyped address of a store: ${args[0]}`,
    args: [...args, "--store", "postgres:canary:canary@127.0.0.1/app"],
    code: 2,
    says: [/neither a path nor the address/],
    hides: /canary/,
  })),
  {
    name: "a key that would go over plain http",
    args: ["run", "x", "--base-url", "http://gateway.test/v1", "--api-key-env", "MINE"],
    code: 2,
    env: { MINE: "canary-0123456789" },
    says: [/would go to gateway\.test over plain http/],
    hides: /canary/,
  },
  {
    name: "a key in the place of the name of its variable",
    args: ["run", "x", "--base-url", "https://gateway.test/v1", "--api-key-env", "sk-canary-0123456789"],
    code: 2,
    says: [/--api-key-env names no variable that is set/],
    hides: /canary/,
  },
  {
    name: "another server of a preset without a key for it",
    args: ["run", "x", "--provider", "deepseek", "--base-url", "https://gateway.test/v1"],
    code: 2,
    env: { DEEPSEEK_API_KEY: "canary-0123456789" },
    says: [/^DEEPSEEK_API_KEY is not sent to gateway\.test/, /deepseek needs a key for that address: .*--api-key-env/],
    hides: /canary/,
  },
  {
    name: "a provider that quotes a key",
    args: (at) => {
      const text = `throw new Error("bad key " + process.env.ACME_KEY + " or sk-ant-api03-${"canary0".repeat(12)}")`;
      writeFileSync(join(at.folder, "quoting.mjs"), `export default () => { ${text} };`);
      return ["run", "x", "--provider", "./quoting.mjs"];
    },
    code: 2,
    env: { ACME_KEY: "canary-0123456789", COGENCY_DEBUG: "" },
    says: [/could not be made: bad key \[redacted\] or \[redacted\]/],
    hides: /canary/,
  },
  {
    name: "an unknown driver",
    args: ["run", "x", "--driver", "xml"],
    code: 2,
    says: [/protocol, native, react, auto/],
  },
  ...[["--dialect", "xml"], ["--repair"], ["--start-in", "think"]].map((options) => ({
    name: `${options[0]} with native calls`,
    args: ["run", "x", ...offline, "--driver", "native", ...options],
    code: 2,
    says: [new RegExp(`${options.join(" ")} is of the text protocol, and --driver native does not use it`)],
  })),
  ...["no.json", "notes.txt", "prices.json"].map((file) => ({
    name: `a schema that is none: ${file}`,
    args: (at: Place) => {
      writeFileSync(join(at.folder, "prices.json"), '{"tiny": {"input": 1, "output": 1}}');
      return ["run", "x", ...offline, "--schema", file];
    },
    code: 2,
    says: [/schema/i, new RegExp(file)],
  })),
  ...[["--wait"], ["--stream", "token"]].map((options) => ({
    name: `a schema with ${options[0]}`,
    args: ["run", "x", "--conversation", "c", "--schema", "s.json", ...options],
    code: 2,
    says: [new RegExp(`'--schema <file>' cannot be used with option '${options[0]}`)],
  })),
  {
    name: "a file attached to no prompt",
    args: ["run", "--resume", "--conversation", "c", "--attach", "a.png"],
    code: 2,
    says: [/--attach needs a prompt/],
  },
  {
    name: "a schema for a run that goes on",
    args: ["run", "--resume", "--conversation", "c", "--schema", "s.json"],
    code: 2,
    says: [/--schema needs a prompt/],
  },
  { name: "an unknown finish", args: ["parse", "--finish", "done"], code: 2, says: [/stop, length/] },
];

describe("bad input", () => {
  it.concurrent.for(cases)(
    "$name: code $code, nothing on stdout, a clear error",
    async ({ args, code, says, hides, env, lines }, { expect, onTestFinished }) => {
      const at = place(onTestFinished);
      const outcome = await at.cogency(typeof args === "function" ? await args(at) : args, env ? { env } : {});
      for (const pattern of says) expect(outcome.stderr).toMatch(pattern);
      if (hides) expect(outcome.stderr).not.toMatch(hides);
      expect(outcome).toMatchObject({ code, stdout: "" });
      expect(outcome.stderr).not.toMatch(/\n\s+at /);
      const said = outcome.stderr.split("\n").filter((line) => !line.startsWith("cogency --resume ") && line !== "");
      expect(said.length).toBeLessThanOrEqual(lines ?? 2);
    },
  );

  it("shows the stack only with COGENCY_DEBUG", async () => {
    const { stderr } = await place().cogency(["run", " "], { env: { COGENCY_DEBUG: "1" } });
    expect(stderr).toMatch(/\n\s+at /);
  });

  it("never repeats a key that the server quotes", async () => {
    const key = "sk-very-secret-0123456789";
    const { url } = await serve((_request, response) => {
      response.writeHead(401, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ error: { message: `Incorrect API key provided: ${key}`, code: "invalid_api_key" } }),
      );
    });
    const address = ["--base-url", `${url}/v1`, "--model", "m", "--api-key-env", "MY_SERVER"];
    const args = ["run", "x", "--json", ...address];
    const { code, stdout, stderr } = await place().cogency(args, {
      env: { MY_SERVER: key, COGENCY_DEBUG: "1" },
    });
    expect(code).toBe(3);
    expect(stdout).toContain('"cause":"authentication"');
    expect(stderr).toMatch(/^error: .* does not accept the API key; check the key \(HTTP 401\)/);
    expect(`${stdout}${stderr}`).not.toContain(key);
  });
});
