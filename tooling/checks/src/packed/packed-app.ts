import { fork, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { findPostgres, startPostgres } from "@tooling/postgres";
import type { CommandProblem } from "./packed-commands.ts";
import type { Installation } from "./packed-install.ts";

/** A command that has ended. */
interface Ended {
  code: number | null;
  output: string;
}

/** Runs a command of the packed app in a folder and a home of its own. */
type Run = (args: readonly string[], env?: Record<string, string>) => Promise<Ended>;

/** Uses the packed app: what its files load and start only when they are needed has to be in the tarball. */
export async function appProblems({ packages, consumer }: Installation): Promise<CommandProblem[]> {
  const owner = packages.find(({ manifest }) => typeof manifest.bin === "object" && manifest.bin.cogency !== undefined);
  if (!owner) return [];
  const home = join(consumer, "home");
  mkdirSync(home);
  writeFileSync(join(home, "notes.txt"), "buy milk\n");
  const bin = join(owner.folder, "bin/cogency.cjs");
  const environment = (env = {}) => ({ PATH: process.env.PATH ?? "", HOME: home, ...env });
  const run: Run = (args, env) => ended(process.execPath, [bin, ...args], home, environment(env));
  const found = await Promise.all([
    runProblem(run),
    scrapeProblem(run),
    readerProblem(join(owner.folder, "dist")),
    pluginProblem(run, join(consumer, "node_modules")),
    chatProblem(bin, home, environment()),
    postgresProblem(run),
  ]);
  return found.filter((problem) => problem !== undefined).map((problem) => ({ owner, problem }));
}

const offline = ["run", "--provider", "offline", "--sandbox", "off"];

async function runProblem(run: Run): Promise<string | undefined> {
  const { code, output } = await run([...offline, "read notes.txt"]);
  return code === 0 && output.includes("buy milk") ? undefined : `run reads no file (exit code ${code}):\n${output}`;
}

/** Only the network is allowed by name, and this machine is never a part of it. */
async function scrapeProblem(run: Run): Promise<string | undefined> {
  const server = createServer((_request, response) => response.end("secret"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { code, output } = await run(["tools", "call", "scrape", `{"url":"http://127.0.0.1:${port}/"}`]);
  server.close();
  const isRefused = code !== 0 && /public/i.test(output) && !output.includes("secret");
  return isRefused ? undefined : `scrape does not refuse this machine (exit code ${code}):\n${output}`;
}

/** The process that `scrape` starts to read a page. */
async function readerProblem(dist: string): Promise<string | undefined> {
  const reader = fork(join(dist, "readable-process.cjs"), { serialization: "advanced", timeout: 60_000 });
  const html = "<title>Milk</title><article><h1>Milk</h1><p>Buy <b>two</b> bottles of milk, and bread.</p></article>";
  const answer = await new Promise<unknown>((resolve) => {
    reader.once("message", resolve).once("exit", resolve);
    reader.send({ html, url: "https://example.org/" });
  });
  reader.kill();
  const text = JSON.stringify(answer);
  return text.includes("Buy **two** bottles") ? undefined : `the reader of pages answers ${text}`;
}

/** A provider of others has its own copy of the classes of errors. */
async function pluginProblem(run: Run, modules: string): Promise<string | undefined> {
  const folder = join(modules, "refusing-provider");
  mkdirSync(folder);
  const manifest = { name: "refusing-provider", version: "1.0.0", type: "module", exports: "./index.js" };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  writeFileSync(
    join(folder, "index.js"),
    `import { ProviderError } from "@cogency/provider";
    export default () => ({
      name: "refusing", model: "none", capabilities: {},
      async *stream() { throw new ProviderError("quota_exceeded", "The server says: no milk today."); },
    });\n`,
  );
  const { code, output } = await run(["run", "--provider", folder, "--sandbox", "off", "hello"]);
  const isKnown = code === 3 && output.includes("no milk today") && !output.includes(" at ");
  return isKnown ? undefined : `the error of a provider of others is not known (exit code ${code}):\n${output}`;
}

/** `script` gives the chat a terminal. Without it, nothing is checked. */
async function chatProblem(bin: string, home: string, env: Record<string, string>): Promise<string | undefined> {
  const program = ["/usr/bin/script", "/bin/script"].find(existsSync);
  if (program === undefined) return undefined;
  const command = `'${process.execPath}' '${bin}' chat --provider offline --sandbox off`;
  const chat = spawn(program, ["-qefc", command, "/dev/null"], {
    cwd: home,
    env: { ...env, TERM: "xterm-256color", SHELL: "/bin/sh" },
    timeout: 60_000,
  });
  let output = "";
  const typed = [
    { after: /offline-1/, keys: "read notes.txt\r" },
    { after: /buy milk/, keys: "/quit\r" },
  ];
  chat.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (!typed[0]?.after.test(output)) return;
    chat.stdin.write(typed.shift()?.keys ?? "");
  });
  const code = await new Promise<number | null>((resolve) => chat.once("close", resolve));
  return code === 0 && typed.length === 0 ? undefined : `the chat does not answer and end (${code}):\n${output}`;
}

/** Without PostgreSQL on the machine, nothing is checked. */
async function postgresProblem(run: Run): Promise<string | undefined> {
  if (findPostgres() === undefined) return undefined;
  const server = await startPostgres();
  try {
    const env = { COGENCY_STORE: server.url };
    const asked = await run([...offline, "list ."], env);
    const listed = await run(["history", "list"], env);
    const isStored = asked.code === 0 && listed.code === 0 && listed.output.includes("list .");
    return isStored ? undefined : `PostgreSQL keeps no conversation:\n${asked.output}\n${listed.output}`;
  } finally {
    await server.stop();
  }
}

async function ended(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: 60_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}
