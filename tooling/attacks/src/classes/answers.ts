import { createHash } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import type { Attack, AttackClass } from "../harness/attack.ts";
import { bomb, drained, flood } from "../harness/flood.ts";
import type { Place } from "../harness/place.ts";

/** Servers of models that answer with too much, lead elsewhere, or are given keys that are not theirs. */
export const providerAnswers: AttackClass = {
  name: "answers",
  slice: { cheap: 0, dear: 1 },
  attacks: () => [
    ...floods.map(floodAttack),
    ...redirects.map(redirectAttack),
    ...echoes.map(echoAttack),
    ...keys.map(keyAttack),
    ...ownKeys.map(ownKeyAttack),
    frameAttack,
  ],
};

const victim = fileURLToPath(new URL("../processes/answer-victim.ts", import.meta.url));
const ownKey = "sk-own-key-of-the-user";

interface Report {
  events: number;
  code: string;
  told: string;
  isLong: boolean;
  grown: number;
}

async function ask(place: Place, words: readonly string[], env: Record<string, string> = {}): Promise<Report | string> {
  const { stdout, stderr, code, signal, isHung } = await place.program(process.execPath, [victim, ...words], {
    env,
    timeout: 50_000,
  });
  if (isHung) return "it did not end in 50 s";
  if (stdout === "") return `the process ended with ${code ?? signal}: ${stderr.slice(0, 200)}`;
  return JSON.parse(stdout) as Report;
}

/** MiB that an answer of any length may take beside what the process has at first. */
const mostGrown = 200;

type Write = (response: ServerResponse) => unknown;

interface Flood {
  name: string;
  provider: "chat" | "responses" | "anthropic";
  how?: "stream" | "generate" | "agent";
  write: Write;
}

const stream = (response: ServerResponse) => response.writeHead(200, { "content-type": "text/event-stream" });
const json = (response: ServerResponse, status = 200) =>
  response.writeHead(status, { "content-type": "application/json" });
const packed =
  (packing: "gzip" | "deflate" | "br", type: string, status = 200, text?: string): Write =>
  (response) => {
    response.writeHead(status, { "content-type": type, "content-encoding": packing });
    response.end(bomb(packing, text));
  };
const chatText = (text: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`;
const x4k = "x".repeat(4000);

const floods: Flood[] = [
  ...(["chat", "responses", "anthropic"] as const).flatMap((provider): Flood[] => [
    { name: "a packed page of spaces", provider, write: packed("gzip", "application/json") },
    { name: "a packed stream of spaces", provider, write: packed("gzip", "text/event-stream") },
    { name: "a packed stream by brotli", provider, write: packed("br", "text/event-stream") },
    { name: "a packed error by deflate", provider, write: packed("deflate", "application/json", 400) },
    { name: "a packed error that may be tried again", provider, write: packed("gzip", "text/plain", 503) },
    { name: "a packed refusal of the key", provider, write: packed("gzip", "text/html", 401) },
    { name: "an error without end", provider, write: (response) => flood(json(response, 400), '{"error":') },
    { name: "a line without end", provider, write: (response) => flood(stream(response), "data: xxxxxxxx") },
    { name: "a line without end and without a name", provider, write: (response) => flood(stream(response), "x") },
    {
      name: "an event of lines without end",
      provider,
      write: (response) => flood(stream(response), "data: xxxxxxxx\n"),
    },
    { name: "comments without end", provider, write: (response) => flood(stream(response), ": ping\n") },
    { name: "names of events without end", provider, write: (response) => flood(stream(response), "event: a\n") },
    { name: "empty lines without end", provider, write: (response) => flood(stream(response), "\n") },
    { name: "line ends of the other kind without end", provider, write: (response) => flood(stream(response), "\r") },
  ]),
  { name: "text without end", provider: "chat", write: (response) => flood(stream(response), chatText(x4k)) },
  {
    name: "text without end, collected",
    provider: "chat",
    how: "generate",
    write: (response) => flood(stream(response), chatText(x4k)),
  },
  {
    name: "text without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => flood(stream(response), chatText(x4k)),
  },
  {
    name: "thoughts without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) =>
      flood(
        stream(response),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: x4k } }] })}\n\n`,
      ),
  },
  {
    name: "one call's arguments without end",
    provider: "chat",
    write: (response) =>
      flood(
        stream(response),
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, id: "a", function: { name: "a", arguments: x4k } }] } }] })}\n\n`,
      ),
  },
  {
    name: "a call without end, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => openedCall(response),
  },
  {
    name: "calls without number, for an agent",
    provider: "chat",
    how: "agent",
    write: (response) => manyCalls(response),
  },
  {
    name: "calls of ever another number",
    provider: "chat",
    write: async (response) => {
      stream(response);
      let index = 0;
      while (index < 1_000_000 && !response.destroyed) {
        const calls = Array.from({ length: 500 }, () => ({
          index: index++,
          id: `c${index}`,
          function: { name: "a", arguments: "{}" },
        }));
        if (!response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls } }] })}\n\n`)) {
          await drained(response);
        }
      }
      response.end("data: [DONE]\n\n");
    },
  },
  {
    name: "text without end",
    provider: "responses",
    write: (response) =>
      flood(
        stream(response),
        event("response.output_text.delta", {
          type: "response.output_text.delta",
          delta: x4k,
          item_id: "i",
          output_index: 0,
          content_index: 0,
          sequence_number: 1,
        }),
      ),
  },
  {
    name: "text without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "text_delta", "text"),
  },
  {
    name: "thoughts without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "thinking_delta", "thinking"),
  },
  {
    name: "a call's arguments without end",
    provider: "anthropic",
    write: (response) => anthropicText(response, "input_json_delta", "partial_json"),
  },
  {
    name: "an answer at once, nested without end",
    provider: "chat",
    how: "generate",
    write: (response) => flood(json(response), "["),
  },
  {
    name: "an answer at once, of spaces",
    provider: "chat",
    how: "generate",
    write: (response) => flood(json(response), " "),
  },
  {
    name: "an answer at once, of spaces",
    provider: "anthropic",
    how: "generate",
    write: (response) => flood(json(response), " "),
  },
];

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function openedCall(response: ServerResponse): Promise<void> {
  stream(response).write(chatText('<execute>[{"name":"a","args":{"x":"'));
  return flood(response, chatText(x4k));
}

function manyCalls(response: ServerResponse): Promise<void> {
  stream(response).write(chatText("<execute>["));
  return flood(response, chatText('{"name":"a","args":{}},'.repeat(200)), 100 * 2 ** 20);
}

function anthropicText(response: ServerResponse, type: string, field: string): Promise<void> {
  stream(response).write(
    event("message_start", {
      type: "message_start",
      message: {
        id: "m",
        type: "message",
        role: "assistant",
        content: [],
        model: "m",
        usage: { input_tokens: 1, output_tokens: 1 },
      },
    }),
  );
  const block =
    type === "input_json_delta"
      ? { type: "tool_use", id: "t", name: "a", input: {} }
      : type === "text_delta"
        ? { type: "text", text: "" }
        : { type: "thinking", thinking: "", signature: "" };
  response.write(event("content_block_start", { type: "content_block_start", index: 0, content_block: block }));
  return flood(
    response,
    event("content_block_delta", { type: "content_block_delta", index: 0, delta: { type, [field]: x4k } }),
  );
}

function floodAttack({ name, provider, how = "stream", write }: Flood): Attack {
  return {
    name: `flood, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const port = await place.serve((request, response) => {
        response.on("error", () => {});
        request.resume().once("end", () => write(response));
      });
      const report = await ask(place, [provider, how, `http://127.0.0.1:${port}/v1`]);
      if (typeof report === "string") return report;
      if (report.grown > mostGrown) return `memory grew by ${report.grown} MiB`;
      return report.isLong ? "the error holds more than 20,000 characters of it" : undefined;
    },
  };
}

interface Redirect {
  name: string;
  provider: "chat" | "responses" | "anthropic" | "realtime";
  status: number;
  /** Where to, given the port of this server and that of the other one. */
  to: (own: number, other: number) => string;
}

const redirects: Redirect[] = [
  ...([301, 302, 303, 307, 308] as const).flatMap((status) =>
    (["chat", "anthropic"] as const).map(
      (provider): Redirect => ({
        name: `${status} to another port`,
        provider,
        status,
        to: (_, other) => `http://127.0.0.1:${other}/v1/x`,
      }),
    ),
  ),
  {
    name: "307 to another name of the same machine",
    provider: "chat",
    status: 307,
    to: (_, other) => `http://localhost:${other}/v1/x`,
  },
  {
    name: "308 to another name at the same port",
    provider: "responses",
    status: 308,
    to: (own) => `http://localhost:${own}/elsewhere`,
  },
  { name: "307 without a scheme", provider: "responses", status: 307, to: (_, other) => `//127.0.0.1:${other}/v1/x` },
  {
    name: "307 with a user",
    provider: "chat",
    status: 307,
    to: (own, other) => `http://127.0.0.1:${own}@127.0.0.1:${other}/x`,
  },
  { name: "307 by way of itself", provider: "chat", status: 307, to: () => "/v1/again" },
  {
    name: "302 of the handshake",
    provider: "realtime",
    status: 302,
    to: (_, other) => `ws://127.0.0.1:${other}/v1/realtime`,
  },
  {
    name: "307 of the handshake",
    provider: "realtime",
    status: 307,
    to: (_, other) => `http://127.0.0.1:${other}/v1/realtime`,
  },
];

function redirectAttack({ name, provider, status, to }: Redirect): Attack {
  return {
    name: `redirect, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const stolen: string[] = [];
      const other = await place.serve(thief(stolen));
      let own = 0;
      let first = true;
      const listener: RequestListener = (request, response) => {
        const isElsewhere = request.url === "/elsewhere" || request.headers.host?.startsWith("localhost");
        if (isElsewhere) return thief(stolen)(request, response);
        const target = request.url === "/v1/again" ? `http://127.0.0.1:${other}/x` : to(own, other);
        first = false;
        request.resume().once("end", () => response.writeHead(status, { location: target }).end());
      };
      own = await place.serve(listener);
      const how = provider === "realtime" ? "connect" : "stream";
      const report = await ask(place, [provider, how, `http://127.0.0.1:${own}/v1`]);
      if (typeof report === "string") return report;
      if (first && provider !== "realtime") throw new Error(`The server was not asked: ${report.told.slice(0, 200)}`);
      return stolen.length > 0 ? `the other server got ${stolen.join(" ").slice(0, 100)}` : undefined;
    },
  };
}

/** Notes everything that a request holds. */
function thief(stolen: string[]): RequestListener {
  return (request: IncomingMessage, response: ServerResponse) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.once("end", () => {
      const key = JSON.stringify(request.headers).includes(ownKey) ? "the key" : "";
      const words = body.includes("secret words") ? "the conversation" : "";
      stolen.push(key || words || "a request");
      response.writeHead(400).end("{}");
    });
  };
}

/** Answers that hold the key which the request came with. */
const echoes: readonly [
  name: string,
  provider: "chat" | "responses" | "anthropic",
  answer: (key: string, response: ServerResponse) => unknown,
][] = [
  [
    "in an error's message",
    "chat",
    (key, response) => json(response, 400).end(JSON.stringify({ error: { message: `Bad key ${key}`, code: key } })),
  ],
  [
    "in the key of an error's object",
    "chat",
    (key, response) => json(response, 400).end(JSON.stringify({ error: { [key]: "is bad" } })),
  ],
  [
    "in an error's message, with a suffix",
    "responses",
    (key, response) =>
      json(response, 401).end(JSON.stringify({ error: { message: `Incorrect API key provided: ${key}xyz.` } })),
  ],
  [
    "in an error that is no JSON",
    "anthropic",
    (key, response) =>
      response.writeHead(500, { "content-type": "text/html" }).end(`<pre>Authorization: Bearer ${key}</pre>`),
  ],
  ["in the status text", "chat", (key, response) => response.writeHead(418, `no ${key}`).end()],
  [
    "in a header",
    "chat",
    (key, response) => response.writeHead(429, { "retry-after": "0", "x-debug": key, "content-type": key }).end("{}"),
  ],
  [
    "in a redirect",
    "chat",
    (key, response) => response.writeHead(307, { location: `http://127.0.0.1:9/?k=${key}` }).end(),
  ],
  ["in an event that is no JSON", "chat", (key, response) => stream(response).end(`data: {"x": ${key}\n\n`)],
  [
    "in an event of error",
    "anthropic",
    (key, response) =>
      stream(response).end(event("error", { type: "error", error: { type: "api_error", message: `key ${key}` } })),
  ],
  [
    "in a stream that breaks off",
    "responses",
    (key, response) => {
      stream(response).write(event("error", { type: "error", message: key, code: key }));
      response.destroy();
    },
  ],
  [
    "in escapes",
    "chat",
    (key, response) =>
      json(response, 400).end(
        `{"error":{"message":"${[...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"}}`,
      ),
  ],
  [
    "beside another's key",
    "chat",
    (key, response) =>
      json(response, 400).end(
        JSON.stringify({ error: { message: `${key} ${key.toUpperCase()} ${encodeURIComponent(key)}` } }),
      ),
  ],
];

function echoAttack([name, provider, answer]: (typeof echoes)[number]): Attack {
  return {
    name: `echoed key, ${provider}: ${name}`,
    isDear: true,
    async run(place) {
      const port = await place.serve((request, response) => {
        const given =
          /[\w-]+$/.exec(request.headers.authorization ?? "")?.[0] ?? String(request.headers["x-api-key"] ?? "");
        request.resume().once("end", () => answer(given, response));
      });
      const report = await ask(place, [provider, "stream", `http://127.0.0.1:${port}/v1`]);
      if (typeof report === "string") return report;
      if (report.told === "") throw new Error("The answer was taken for a good one.");
      return report.told.includes(ownKey) ? `the error holds the key: ${report.code}` : undefined;
    },
  };
}

/** The built command with keys in its environment, and a server that they do not belong to. */
interface Keys {
  name: string;
  env: Record<string, string>;
  args: (port: number) => string[];
  isControl?: true;
  needs?: string;
}

const keys: Keys[] = [
  {
    name: "OpenAI's key, an address of this machine",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, spelled with a name",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://localhost:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenAI's key, a short address",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.1:${port}`],
  },
  {
    name: "OpenAI's key, the provider named",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "openai", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Responses",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--api", "responses", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Realtime",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--api", "realtime", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's numbered keys",
    env: { OPENAI_API_KEY_1: "KEY", OPENAI_API_KEY_2: "KEY2" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, Ollama",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "ollama", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenAI's key, vLLM",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--provider", "vllm", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "OpenRouter's key, another address",
    env: { OPENROUTER_API_KEY: "KEY" },
    args: (port) => ["--provider", "openrouter", "--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m"],
  },
  {
    name: "DeepSeek's key, another address",
    env: { DEEPSEEK_API_KEY: "KEY" },
    args: (port) => ["--provider", "deepseek", "--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "Anthropic's key, another address",
    env: { ANTHROPIC_API_KEY: "KEY" },
    args: (port) => ["--provider", "anthropic", "--base-url", `http://127.0.0.1:${port}`],
  },
  {
    name: "Anthropic's token, another address",
    env: { ANTHROPIC_AUTH_TOKEN: "KEY" },
    args: (port) => ["--provider", "anthropic", "--base-url", `http://127.0.0.1:${port}`],
  },
  {
    name: "Anthropic's key, the provider of OpenAI's kind",
    env: { ANTHROPIC_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`],
  },
  {
    name: "OpenAI's key, the name of its host in the path",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/https://api.openai.com/v1`],
  },
  {
    name: "OpenAI's key, the name of its host behind",
    env: { OPENAI_API_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1#api.openai.com`],
  },
  {
    name: "control: a key that was given with the address",
    env: { MY_SERVER_KEY: "KEY" },
    args: (port) => ["--base-url", `http://127.0.0.1:${port}/v1`, "--model", "m", "--api-key-env", "MY_SERVER_KEY"],
    isControl: true,
    needs: "--api-key-env",
  },
];

function keyAttack({ name, env, args, isControl, needs }: Keys): Attack {
  return {
    name: `key: ${name}`,
    isDear: true,
    ...(isControl && { isControl }),
    async run(place) {
      if (needs && !(await place.cogency(["run", "--help"])).stdout.includes(needs))
        throw new Error(`There is no ${needs}.`);
      const seen: string[] = [];
      const port = await place.serve((request, response) => {
        seen.push(JSON.stringify([request.url, request.headers]));
        request
          .resume()
          .once("end", () =>
            response.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}'),
          );
      });
      const given = Object.fromEntries(Object.entries(env).map(([key]) => [key, `sk-${place.canary}`]));
      await place.cogency(["run", "hello", ...args(port)], { env: given });
      const got = seen.some((request) => request.includes(place.canary));
      if (isControl) return got ? undefined : "the server did not get the key";
      return got ? "the server got the key" : undefined;
    },
  };
}

/** The library, with keys in the environment of the process and an address in its options. */
const ownKeys: readonly [provider: string, variable: string][] = [
  ["chat-of-environment", "OPENAI_API_KEY"],
  ["responses-of-environment", "OPENAI_API_KEY"],
  ["chat-of-environment", "OPENAI_API_KEY_1"],
  ["anthropic-of-environment", "ANTHROPIC_API_KEY"],
  ["anthropic-of-environment", "ANTHROPIC_AUTH_TOKEN"],
  ["openrouter-of-environment", "OPENROUTER_API_KEY"],
];

function ownKeyAttack([provider, variable]: (typeof ownKeys)[number]): Attack {
  return {
    name: `key: the library, ${provider}, ${variable}`,
    isDear: true,
    async run(place) {
      const seen: string[] = [];
      const port = await place.serve((request, response) => {
        seen.push(JSON.stringify(request.headers));
        request.resume().once("end", () => response.writeHead(400).end("{}"));
      });
      await ask(place, [provider, "stream", `http://127.0.0.1:${port}/v1`], { [variable]: `sk-${place.canary}` });
      return seen.some((headers) => headers.includes(place.canary)) ? "the server got the key" : undefined;
    },
  };
}

const frameAttack: Attack = {
  name: "flood, realtime: a frame of a gigabyte",
  isDear: true,
  async run(place) {
    const report = await ask(place, ["realtime", "connect", `http://127.0.0.1:${await socketFlood(place)}/v1`]);
    if (typeof report === "string") return report;
    return report.grown > mostGrown ? `memory grew by ${report.grown} MiB` : undefined;
  },
};

/** A server of web sockets that upgrades, then sends frames without end. */
function socketFlood(place: Place): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", async (head) => {
      const key = /sec-websocket-key: (.*)\r/i.exec(String(head))?.[1] ?? "";
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      const header = Buffer.alloc(10);
      header.writeUInt8(0x81, 0);
      header.writeUInt8(127, 1);
      header.writeBigUInt64BE(BigInt(2 ** 30), 2);
      socket.write(header);
      const piece = Buffer.alloc(65_536, "x");
      for (let sent = 0; sent < 2 ** 29 && !socket.destroyed; sent += piece.length) {
        if (!socket.write(piece)) await drained(socket);
      }
      socket.destroy();
    });
  });
  place.onEnd(() => server.close());
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port)));
}
