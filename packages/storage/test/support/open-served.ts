import { createConnection } from "node:net";
import { createInterface } from "node:readline";
import { openLive } from "./open-live.ts";

/** A client of `serve-store.ts`. */
export default async function openServed({ port, livePort }: { port: number; livePort: number }) {
  const socket = createConnection({ port, host: "127.0.0.1" });
  const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
  const call = async (method: string, args: unknown[]) => {
    socket.write(`${JSON.stringify({ method, args })}\n`);
    const { value: line } = await answers.next();
    const { value, failure } = JSON.parse(line ?? "{}") as { value?: unknown; failure?: { message: string } };
    if (failure) throw Object.assign(new Error(failure.message), failure);
    return value;
  };
  const methods = ["append", "load", "search", "delete", "post", "inbox", "wake", "claim", "done", "lease", "slot"];
  const called = Object.fromEntries(methods.map((method) => [method, (...args: unknown[]) => call(method, args)]));
  return { ...called, live: openLive(livePort) };
}
