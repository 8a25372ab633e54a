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
  const first: number[] = [];
  for (let round = 0; round < rounds; round++) first.push((await chat(folder, follow, 33)).first);
  rows.set(`first letter, median of ${rounds}`, `${quantile(first, 0.5).toFixed(0)} ms`);
  for (const pause of paces) {
    const { bytes, letters } = await chat(folder, follow, pause, "whole");
    rows.set(`bytes a letter, at ${Math.round(1000 / pause)} words/s`, (bytes / letters).toFixed(1));
  }
  rows.set("letters after a reload in the middle", `${(await chat(folder, follow, 33, "reloaded")).reloaded}`);
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

/** One answer of a server of its own, as a page follows it: until its first letter, its end, or a reload in the middle. */
async function chat(folder: string, follow: Follow, pause: number, end: "first" | "whole" | "reloaded" = "first") {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, PORT: `${port}`, PAUSE: `${pause}`, NODE_ENV: "production" };
  const server = spawn(process.execPath, [join(import.meta.dirname, folder, "server.ts")], {
    env,
    stdio: ["ignore", "inherit", "ignore"],
  });
  const ended = once(server, "close");
  const wire = { bytes: 0 };
  let letters = 0;
  let isIdle = true;
  try {
    await until(async () => isListening(port));
    const page = await follow(url, counting(wire), (text, idle) => {
      letters = text.length;
      isIdle = idle;
    });
    // The code of both is compiled, and what is followed is open.
    await sleep(300);
    wire.bytes = 0;
    const begun = performance.now();
    void page.send("Write.").catch(() => {});
    await until(() => letters > 0, 1);
    const first = performance.now() - begun;
    if (end === "whole") await until(() => isIdle && letters >= 999);
    if (end === "reloaded") await until(() => letters >= 500);
    page.stop();
    const result = { first, letters, bytes: wire.bytes, reloaded: 0 };
    if (end !== "reloaded") return result;
    const again = await follow(url, counting(wire), (text) => {
      result.reloaded = text.length;
    });
    await sleep(1000);
    again.stop();
    return result;
  } finally {
    server.kill("SIGKILL");
    await ended;
  }
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
