import { inspect, styleText } from "node:util";
import { isProviderError, type ProviderError } from "@cogency/provider";
import { isConflictError, isLeaseHeldError, isLeaseLostError, type LeaseHeldError } from "@cogency/storage";
import { processOfOwner } from "@cogency/storage-sqlite/lease-owner";
import { counted, oneLine, visible, wrappedFor } from "../terminal/text.ts";
import { inPlainWords } from "./in-plain-words.ts";
import { redacted } from "./redacted.ts";

/** The message of an error for a person at the command line, in the words of its options. */
export function messageOf(error: Error): string {
  if (causeOf(error, isConflictError) ?? causeOf(error, isLeaseLostError)) {
    return "Another process is writing to this conversation; try again when it is done.";
  }
  const held = causeOf(error, isLeaseHeldError);
  if (held) return `${writer(held)} is at work on this conversation; try again when it is done.`;
  const refusal = causeOf(error, isProviderError);
  return `${inPlainWords(error.message)}${refusal ? whenAgain(refusal) : ""}`;
}

/** Other machines notice a killed process only when its lease expires. */
function writer({ owner }: LeaseHeldError): string {
  const name = processOfOwner(owner) ?? `"${oneLine(owner, 80)}"`;
  return name.replace(/^p/, "P");
}

/** Adds when to try again, if the server asked for a longer wait than a run makes. */
function whenAgain({ message, retryAfter = 0 }: ProviderError): string {
  if (retryAfter <= 60 || /, in [\d.]+ s:/.test(message)) return "";
  return `${/[.!?…]$/.test(message) ? "" : "."} Try again in ${counted(Math.ceil(retryAfter / 60), "minute")}.`;
}

/** Writes an error to stderr, without secrets. With COGENCY_DEBUG set, its stack and causes follow. */
export function complain(problem: unknown): void {
  const message = problem instanceof Error ? messageOf(problem) : String(problem);
  const { stderr } = process;
  const text = wrappedFor(stderr, `error: ${visible(redacted(message))}`);
  stderr.write(`${styleText("red", "error:", { stream: stderr })}${text.slice("error:".length)}\n`);
  if (process.env.COGENCY_DEBUG && problem instanceof Error)
    process.stderr.write(`${visible(redacted(inspect(problem)))}\n`);
}

/** The first error of this kind in the chain of causes, which begins with the error itself. */
export function causeOf<E extends Error>(error: unknown, isKind: (value: unknown) => value is E): E | undefined {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    if (isKind(cause)) return cause;
    seen.add(cause);
  }
  return undefined;
}
