import { readFile } from "node:fs/promises";
import { stdout } from "node:process";
import type { JsonObject } from "@cogency/protocol";
import { mcp } from "../../src/index.ts";
import { program } from "../../src/node/index.ts";

interface Call {
  name: string;
  arguments?: JsonObject;
  /** Milliseconds after which the call is cancelled. */
  abortMs?: number;
}

type Outcome = { isError: boolean; text: string } | { threw: string };

const server = "server";

/** Starts a server, makes the calls of a file one after another, and prints the names of its tools and what became of the calls. */
export async function callProgram(file: string, [command = "", ...args]: readonly string[]): Promise<void> {
  const calls = JSON.parse(await readFile(file, "utf8")) as Call[];
  const results: Outcome[] = [];
  await using servers = mcp({ servers: { [server]: { connector: program({ command, args }) } } });
  const [state] = await servers.connect();
  const tools = (state?.tools ?? []).map((name) => name.replace(`${server}__`, ""));
  for (const call of calls) {
    results.push(await outcomeOf(call));
  }
  stdout.write(`${JSON.stringify({ tools, results })}\n`);

  async function outcomeOf({ name, arguments: given = {}, abortMs }: Call): Promise<Outcome> {
    const signal = abortMs === undefined ? undefined : AbortSignal.timeout(abortMs);
    try {
      const { isError, value } = await servers.call(server, name, given, { signal });
      return { isError, text: typeof value === "string" ? value : JSON.stringify(value) };
    } catch (error) {
      return { threw: error instanceof Error ? error.message : String(error) };
    }
  }
}
