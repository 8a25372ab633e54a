import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type Callers, openCallers, openOwn, openSdk } from "./callers.ts";
import { type Contestant, interleaved } from "./interleaved.ts";

/** What a call costs above the SDK's own client, by the clock: one at a time, to a server in a process of its own. */
const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), ["http"]);
const [port] = await once(server, "message");
const address = `http://127.0.0.1:${port}`;

console.log(`Node ${process.version}, by the clock\n`);
await calls("stdio", await openCallers(), 3000);
await calls("HTTP", await openCallers(`${address}/few`), 1500);
await print("connecting over HTTP and listing 500 tools", listing(`${address}/many`), 60);
server.kill();

async function calls(way: string, callers: Callers, rounds: number): Promise<void> {
  const of = (tool: string, length: number) => callers.all.map((caller) => calling(caller, tool, length));
  await print(`a short call over ${way}, revision ${callers.revision}`, of("echo", 5), rounds);
  await print(`a result of 1 MiB over ${way}`, of("large", 1024 * 1024), 100);
  await callers.close();
}

function calling({ name, call }: Callers["all"][number], tool: string, length: number): Contestant {
  return {
    name,
    async run() {
      checkCount(await call(tool, "hello"), length);
    },
  };
}

function listing(url: string): Contestant[] {
  return [
    {
      name: "Client of the SDK",
      async run() {
        const client = await openSdk(url);
        checkCount((await client.listTools()).tools.length, 500);
        await client.close();
      },
    },
    {
      name: "mcp().connect()",
      async run() {
        await using own = openOwn(url);
        const [state] = await own.connect();
        checkCount(state?.tools.length ?? 0, 500);
      },
    },
  ];
}

async function print(title: string, contestants: readonly Contestant[], rounds: number): Promise<void> {
  console.log([title, ...(await interleaved(contestants, rounds)), ""].join("\n"));
}

function checkCount(count: number, expected: number): void {
  if (count !== expected) throw new Error(`${count} came of ${expected}.`);
}
