import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { columns } from "@tooling/bench";
import { freePort } from "@tooling/loopback";
import { build } from "esbuild";
import { quantile } from "../screens/words.ts";
import { followAiSdk } from "./ai-sdk/follow.ts";
import { followCogency } from "./cogency/follow.ts";
import type { Follow } from "./follow.ts";

// A chat that shows letters, once with the packages of this repository and once with the AI SDK: what it takes to write, to load and to
// send. Both are the least that works; the other differences stand in tooling/README.md.

const contenders: { name: string; folder: string; follow: Follow }[] = [
  { name: "cogency", folder: "cogency", follow: followCogency },
  { name: "AI SDK useChat", folder: "ai-sdk", follow: followAiSdk },
];
const paces = [33, 10];
const rounds = 10;

const results: Map<string, string>[] = [];
for (const contender of contenders) results.push(await figures(contender));
const names = [...(results[0]?.keys() ?? [])];
console.log("The same chat, beside the AI SDK");
const head = ["", ...contenders.map(({ name }) => name)];
for (const line of columns([head, ...names.map((name) => [name, ...results.map((one) => one.get(name) ?? "")])]))
  console.log(`  ${line}`);
process.exit();

async function figures({ folder, follow }: (typeof contenders)[number]): Promise<Map<string, string>> {
  const rows = new Map<string, string>();
  rows.set("lines of the server", `${linesOf(folder, "server.ts")}`);
  rows.set("lines of the page", `${linesOf(folder, "page.tsx")}`);
  rows.set("page, minified and gzipped", await sizeOf(folder, []));
  rows.set("of that without React", await sizeOf(folder, ["react", "react-dom"]));
  const { first, later } = await withServer(folder, 33, (url) => firstLetters(url, follow));
  rows.set("first letter of a server that has just begun", `${first.toFixed(0)} ms`);
  rows.set(`first letter later, median of ${rounds}`, `${quantile(later, 0.5).toFixed(0)} ms`);
  for (const pause of paces) {
    const { bytes, letters } = await withServer(folder, pause, (url) => wholeAnswer(url, follow));
    rows.set(`bytes a letter, at ${Math.round(1000 / pause)} words/s`, (bytes / letters).toFixed(1));
  }
  rows.set(
    "letters after a reload in the middle",
    `${await withServer(folder, 33, (url) => afterReload(url, follow))}`,
  );
  return rows;
}

function linesOf(folder: string, file: string): number {
  const text = readFileSync(join(import.meta.dirname, folder, file), "utf8");
  return text.split("\n").filter((line) => line.trim() !== "").length;
}

async function sizeOf(folder: string, external: string[]): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, folder, "page.tsx")],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    external,
  });
  const bytes = gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
  return `${(bytes / 1000).toFixed(1)} kB`;
}

/** Runs with a server of its own, whose model pauses between words. */
async function withServer<T>(folder: string, pause: number, run: (url: string) => Promise<T>): Promise<T> {
  const port = await freePort();
  const env = { ...process.env, PORT: `${port}`, PAUSE: `${pause}`, NODE_ENV: "production" };
  const file = join(import.meta.dirname, folder, "server.ts");
  const server = spawn(process.execPath, [file], { env, stdio: ["ignore", "inherit", "ignore"] });
  const ended = once(server, "close");
  try {
    await until(() => isListening(port));
    return await run(`http://127.0.0.1:${port}`);
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
}

/** A page that has been open for a moment, and what it shows. */
async function open(url: string, follow: Follow, id: string) {
  const page = { letters: 0, isIdle: true, bytes: 0 };
  const onText = (text: string, isIdle: boolean) => Object.assign(page, { letters: text.length, isIdle });
  const following = await follow(url, id, counting(page), onText);
  await sleep(300);
  page.bytes = 0;
  return { page, ...following };
}

/** Milliseconds from the message to the first letter on the page. */
async function firstLetters(url: string, follow: Follow): Promise<{ first: number; later: number[] }> {
  const times: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const { page, send, stop } = await open(url, follow, `c${round}`);
    const begun = performance.now();
    void send("Write.").catch(() => {});
    await until(() => page.letters > 0, 1);
    times.push(performance.now() - begun);
    stop();
  }
  const [first = Number.NaN, ...later] = times;
  return { first, later };
}

async function wholeAnswer(url: string, follow: Follow): Promise<{ bytes: number; letters: number }> {
  const { page, send, stop } = await open(url, follow, "c");
  void send("Write.").catch(() => {});
  // The last word ends with a space, which one of them leaves out.
  await until(() => page.isIdle && page.letters >= 999);
  stop();
  return page;
}

/** How many letters a page shows that is opened in the middle of an answer, after a second. */
async function afterReload(url: string, follow: Follow): Promise<number> {
  const { page, send, stop } = await open(url, follow, "c");
  void send("Write.").catch(() => {});
  await until(() => page.letters >= 500);
  stop();
  const again = await open(url, follow, "c");
  await sleep(700);
  again.stop();
  return again.page.letters;
}

async function until(isSo: () => boolean | Promise<boolean>, pause = 10): Promise<void> {
  const end = performance.now() + 60_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error("A chat did not answer within a minute.");
    await sleep(pause);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}

/** A `fetch` that counts the bytes of bodies, in both directions. Headers are not counted. */
function counting(wire: { bytes: number }): typeof fetch {
  return async (input, init) => {
    if (typeof init?.body === "string") wire.bytes += Buffer.byteLength(init.body);
    const response = await fetch(input, init);
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          wire.bytes += chunk.length;
          controller.enqueue(chunk);
        },
      }),
    );
    return new Response(body ?? null, response);
  };
}
