import { inspect, styleText } from "node:util";
import { visible } from "../terminal/text.ts";
import { messageOf } from "./message-of.ts";
import { redacted } from "./redacted.ts";

/** Writes an error to stderr, without secrets. With COGENCY_DEBUG set, its stack and causes follow. */
export function complain(problem: unknown): void {
  const message = problem instanceof Error ? messageOf(problem) : String(problem);
  process.stderr.write(`${styleText("red", "error:", { stream: process.stderr })} ${visible(redacted(message))}\n`);
  if (process.env.COGENCY_DEBUG && problem instanceof Error)
    process.stderr.write(`${visible(redacted(inspect(problem)))}\n`);
}
