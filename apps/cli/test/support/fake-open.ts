import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pageHtml } from "../../src/page/page-html.ts";
import type { PageEvent } from "../../src/page/page-source.ts";

/**
 * `node fake-open.ts FOLDER`: writes a trace of a hostile log to FOLDER/trace.html, serves the live page over conversations in memory,
 * and prints its address. A prompt brings a call that asks; an approval brings its result.
 */
const [folder = "."] = process.argv.slice(2);
const logs = new Map<string, PageEvent[]>();
const readers = new Set<{ conversation: string; response: ServerResponse }>();

function append(conversation: string, ...events: object[]): void {
  const log = logs.get(conversation) ?? [];
  logs.set(conversation, log);
  for (const event of events) {
    const stored = { timestamp: Date.now() / 1000, ...event, seq: log.length + 1 } as PageEvent;
    log.push(stored);
    for (const reader of readers) if (reader.conversation === conversation) send(reader.response, stored);
  }
}

const record = (kind: string, data: object) => ({ type: "record", kind, data });

function send(response: ServerResponse, event: PageEvent): void {
  response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
}

const command = `echo one\u202e\n${"echo more\n".repeat(80)}echo last`;

function take(conversation: string, message: Record<string, string>): void {
  const { id, kind, content, question, reason } = message;
  append(conversation, record("message", { id: String(id), kind: String(kind) }));
  if (kind === "prompt") {
    const call = { type: "call", id: "c1", content: JSON.stringify({ name: "shell", args: { command } }) };
    const asked = {
      id: "q1",
      call: "c1",
      name: "shell",
      hash: "h",
      asks: "approval",
      touches: ["cwd:/srv"],
      concerns: [],
    };
    append(
      conversation,
      { type: "user", content },
      { type: "respond", content: "I ask." },
      call,
      record("question", asked),
    );
  }
  if (kind !== "approve" && kind !== "deny") return;
  const result = { tool: "shell", status: kind === "approve" ? "success" : "failure", content: reason ?? "ran" };
  const status = kind === "approve" ? "approved" : "denied";
  append(
    conversation,
    record("approval", { id: "c1", name: "shell", hash: "h", status, question, ...(reason && { reason }) }),
    ...(kind === "approve" ? [record("started", { id: "c1" })] : []),
    { type: "result", content: JSON.stringify([result]), payload: {}, ids: ["c1"] },
    { type: "respond", content: "Done." },
    record("run", { status: "completed" }),
  );
}

const hostile = '</script><!--<script>document.title = "owned"</script><img src=x onerror="document.title=\'owned\'">';
append("trace", { type: "user", content: `${hostile} \u2028 \ud800` });
append(
  "trace",
  { type: "think", content: "Hm." },
  { type: "respond", content: `${hostile} [x](javascript:alert(1)) **bold**` },
);
append("trace", { type: "call", id: "c0", content: JSON.stringify({ name: "read", args: { file: "big.txt" } }) });
append("trace", record("started", { id: "c0" }));
const big = { tool: "read", status: "success", content: `${"a line of a large file\n".repeat(230_000)}needle` };
append("trace", { type: "result", content: JSON.stringify([big]), payload: {}, ids: ["c0"] });
append("trace", record("usage", { input: 10, output: 5, cacheRead: 30, cacheWrite: 0, reasoning: 0, duration: 1 }));
for (let i = 0; i < 2500; i++) {
  const id = `n${i}`;
  append(
    "trace",
    { type: "call", id, content: JSON.stringify({ name: "list", args: { path: `folder-${i}` } }) },
    record("started", { id }),
    { type: "result", content: '[{"tool":"list","status":"success","content":"nothing"}]', payload: {}, ids: [id] },
    record("usage", { input: 10, output: 5, cacheRead: 30 + i, cacheWrite: 0, reasoning: 0, duration: 1 }),
  );
}
append("trace", record("rejected", { code: "malformed_execute", message: "refused", text: "<execute>[{]</execute>" }));
const events = logs.get("trace") ?? [];
logs.delete("trace");
writeFileSync(join(folder, "trace.html"), pageHtml({ type: "trace", conversation: "trace", events, isRedacted: true }));

const session = randomUUID();
const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://page");
  const json = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const body = request.method === "POST" ? JSON.parse(await text(request)) : {};
  if (pathname === "/") {
    const html = pageHtml({ type: "live", api: "/api" });
    const cookie = `session=${session}; HttpOnly; SameSite=Strict`;
    return response.writeHead(200, { "content-type": "text/html; charset=utf-8", "set-cookie": cookie }).end(html);
  }
  if (!request.headers.cookie?.includes(session)) return json(401, { code: "unauthorized", message: "no" });
  const [, conversation = "", what] = /^\/api\/conversations\/([^/]+)\/(\w+)$/.exec(pathname) ?? [];
  if (what === "events") {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    const after = Number(request.headers["last-event-id"] ?? 0);
    for (const event of logs.get(conversation) ?? []) if (event.seq > after) send(response, event);
    const reader = { conversation, response };
    readers.add(reader);
    return response.once("close", () => readers.delete(reader));
  }
  if (what === "messages") {
    json(202, { id: body.id });
    return take(conversation, body);
  }
  if (what === "fork") {
    append("fork", ...(logs.get(conversation) ?? []).slice(0, body.at));
    return json(201, { conversation: "fork" });
  }
  const listed = [...logs].map(([name, log]) => ({
    conversation: name,
    title: "a title",
    events: log.length,
    createdAt: log[0]?.timestamp,
    updatedAt: log.at(-1)?.timestamp,
  }));
  return json(200, listed);
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
