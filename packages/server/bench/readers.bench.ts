import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { cpus, loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { columns } from "@tooling/bench";

// `pnpm bench`: what 500 readers of conversations that are being written cost one server, by how they read.
const readers = 500;
/** Milliseconds that each row is measured. */
const time = Number(process.env.BENCH_TIME ?? 8000);

interface Way {
  readonly name: string;
  readonly count: number;
  readonly conversations: number;
  /** Events of 20,000 characters in each log before. */
  readonly before: number;
  /** What a reader does with its response. It adds the delays of letters, in milliseconds. */
  readonly read: (response: IncomingMessage, delays: number[]) => void;
}

const ways: readonly Way[] = [
  { name: "nobody", count: 0, conversations: 50, before: 0, read() {} },
  { name: "who read at once", count: readers, conversations: 50, before: 0, read: readAtOnce },
  { name: "who take a chunk a second", count: readers, conversations: 10, before: 500, read: readSlowly },
  { name: "who never read", count: readers, conversations: 10, before: 500, read: (response) => void response.pause() },
];

const rows: string[][] = [];
for (const way of ways) rows.push(await row(way));
console.log(`${readers} readers, 30 frames of 20 letters a second in each conversation`);
console.log(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n`);
const head = [
  "readers",
  "heap before, MB",
  "after, MB",
  "kB a reader",
  "memory, MB",
  "followed",
  "letters a second",
  "delay, median",
  "p99",
];
console.log(columns([head, ...rows]).join("\n"));

async function row({ name, count, conversations, before: eventsBefore, read }: Way): Promise<string[]> {
  const program = fileURLToPath(new URL("processes/letters-process.ts", import.meta.url));
  const server = fork(program, [`${conversations}`, `${eventsBefore}`], { execArgv: ["--expose-gc"] });
  const exited = once(server, "exit");
  const [port] = (await once(server, "message")) as [number];
  const memory = async () => {
    const answer = once(server, "message");
    server.send("memory");
    const [told] = (await answer) as [{ heap: number; rss: number; followed: number }];
    return told;
  };
  await pause(1000);
  const before = await memory();
  const delays: number[] = [];
  const agent = new Agent({ keepAlive: false });
  const open = await Promise.all(Array.from({ length: count }, (_, at) => connect(port, at % conversations, agent)));
  for (const response of open) read(response, delays);
  await pause(1000);
  delays.length = 0;
  await pause(time);
  const after = await memory();
  for (const response of open) response.destroy();
  server.kill("SIGKILL");
  await exited;
  delays.sort((a, b) => a - b);
  const at = (share: number) => (delays.length === 0 ? "" : `${delays[Math.floor(delays.length * share)]} ms`);
  const each = count === 0 ? "" : ((after.heap - before.heap) / count / 1000).toFixed(1);
  const letters = delays.length === 0 ? "" : `${Math.round((delays.length * 20) / (time / 1000))}`;
  return [
    name,
    megabytes(before.heap),
    megabytes(after.heap),
    each,
    megabytes(after.rss),
    `${after.followed}`,
    letters,
    at(0.5),
    at(0.99),
  ];
}

async function connect(port: number, conversation: number, agent: Agent): Promise<IncomingMessage> {
  const request = get({ host: "127.0.0.1", port, path: `/conversations/${conversation}/events`, agent });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.on("error", () => {});
  return response;
}

function readAtOnce(response: IncomingMessage, delays: number[]): void {
  response.setEncoding("utf8").on("data", (chunk: string) => {
    if (!chunk.startsWith("event: pieces")) return;
    const now = Date.now();
    // Of a joined or repeated piece the latest letters count.
    const written = [...chunk.matchAll(/(\d{13}) /g)].at(-1)?.[1];
    if (written !== undefined) delays.push(now - Number(written));
  });
}

function readSlowly(response: IncomingMessage): void {
  response.pause();
  const timer = setInterval(() => response.read(), 1000);
  response.on("close", () => clearInterval(timer));
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
