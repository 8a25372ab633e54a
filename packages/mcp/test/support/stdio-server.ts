// A server over stdio, by hand: argv says how it misbehaves.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const how = process.argv[2] ?? "";
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value: unknown) => ({
  content: [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }],
});

if (how === "ignores-its-end") {
  process.on("SIGTERM", () => {});
  process.stdin.on("end", () => {});
  setInterval(() => {}, 1000);
}
if (how === "prints-first") process.stdout.write("Welcome to the server!\n");

const tools = ["env", "pids", "exit", "long", "flood-stderr", "hang"].map((name) => ({
  name,
  inputSchema: { type: "object" },
}));

const answers: Record<string, (params: never) => object | undefined> = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "stdio", version: "1" },
  }),
  "tools/list": () => ({ tools }),
  "tools/call": ({ name, arguments: args }: { name: string; arguments: never }) => calls[name]?.(args),
};

const calls: Record<string, (args: never) => object | undefined> = {
  env: () => text(process.env),
  pids: () => {
    const child = spawn("sleep", ["1000"], { stdio: "inherit" });
    return text({ own: process.pid, child: child.pid });
  },
  exit: ({ code }: { code: number }) => process.exit(code),
  long: ({ bytes }: { bytes: number }) => {
    process.stdout.write("x".repeat(bytes));
    return undefined;
  },
  "flood-stderr": () => {
    for (let line = 0; line < 5000; line++) process.stderr.write(`line ${line} ${process.env.API_KEY}\n`);
    return text("done");
  },
  hang: () => undefined,
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  if (id === undefined) return;
  if (how === "ends-at-unknown" && method === "server/discover") process.exit(1);
  const answer = answers[method];
  if (!answer) return send({ id, error: { code: -32601, message: "Method not found" } });
  const result = answer(params as never);
  if (result) send({ id, result });
});
