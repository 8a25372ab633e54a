import { statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Cancellation } from "../../base/cancellation.ts";
import { exitCodes } from "../../base/errors/exit-code.ts";
import { readRegularFile, readRegularText } from "../../base/files/read-regular-file.ts";
import { note } from "../../base/terminal/note.ts";
import { put } from "../../base/terminal/output.ts";
import { oldLog, serverLogFile } from "../../work/mcp/server-log.ts";
import { type ServersOptions, serversHere, unknownServer } from "./with-servers.ts";

/** Lines that are printed of what was written before. */
const mostLines = 200;

/** Milliseconds between two looks at a log that is followed. */
const interval = 250;

/**
 * `cogency mcp logs`: what a server has written, and how its states have changed.
 *
 * @returns the exit code
 * @throws UsageError for a server that there is not
 */
export async function printLogs(
  name: string,
  { follow, ...options }: ServersOptions & { follow?: true },
  cancellation: Cancellation,
): Promise<number> {
  const { project, found } = await serversHere(options);
  const server = found.servers.find((one) => one.name === name);
  if (!server) throw unknownServer(name, found, project);
  const file = serverLogFile(name, server.folder);
  let at = sizeOf(file);
  const text = [oldLog(file), file].map((one) => readRegularText(one) ?? "").join("");
  const lines = text.split("\n").slice(-mostLines - 1);
  await put(lines.join("\n"));
  if (text === "") note(`Nothing was written yet; what comes stands in ${file}.`);
  if (!follow) return exitCodes.done;
  await cancellation.during(async (signal) => {
    while (!signal.aborted) {
      at = await printedFrom(file, at);
      await setTimeout(interval, undefined, { signal }).catch(() => {});
    }
  });
  return cancellation.exitCode === exitCodes.SIGINT ? exitCodes.done : cancellation.exitCode;
}

/** @returns where to go on */
async function printedFrom(file: string, at: number): Promise<number> {
  const size = sizeOf(file);
  if (size === at) return at;
  const { bytes } = readRegularFile(file) ?? { bytes: Buffer.alloc(0) };
  // A new log was begun.
  await put(bytes.subarray(size < at ? 0 : at).toString());
  return bytes.length;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
