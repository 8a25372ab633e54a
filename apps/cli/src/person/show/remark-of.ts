import type { StoredEvent } from "@cogency/storage";
import { inPlainWords } from "../../base/errors/in-plain-words.ts";
import { oneLine } from "../../base/terminal/text.ts";
import type { ShownApproval } from "./approvals-of.ts";

/** What a person reads of an event that is neither words nor a call: one line. Undefined for one that says nothing to them. */
export function remarkOf(
  event: StoredEvent,
  approval: ShownApproval | undefined,
): { text: string; kind: "note" | "warning" } | undefined {
  if (event.type === "cancelled") return { text: "(cancelled)", kind: "note" };
  if (event.type !== "record") return undefined;
  const notice = event.kind === "notice" ? noticeText(event.data) : undefined;
  if (notice !== undefined) return { text: notice, kind: "warning" };
  const stop = event.kind === "run" ? stopText(event.data) : undefined;
  if (stop !== undefined) return { text: `(stopped: ${stop})`, kind: "note" };
  return approval && { text: approvalText(approval), kind: "note" };
}

/** Why a run ended although the model was not done. A log from elsewhere may hold anything. */
function stopText(data: unknown): string | undefined {
  const { stop } = (data ?? {}) as { stop?: unknown };
  const { message } = (stop ?? {}) as { message?: unknown };
  return typeof message === "string" ? oneLine(inPlainWords(message), 200) : undefined;
}

/** Why the conversation did not go on. A log from elsewhere may hold anything. */
function noticeText(data: unknown): string | undefined {
  const { message, retryAt } = (data ?? {}) as { message?: unknown; retryAt?: unknown };
  if (typeof message !== "string") return undefined;
  const next = new Date(typeof retryAt === "number" ? retryAt * 1000 : Number.NaN);
  const when = Number.isNaN(next.getTime()) ? "" : ` Next try: ${next.toLocaleTimeString("sv-SE")}.`;
  return `${oneLine(inPlainWords(message), 300)}${when}`;
}

function approvalText({ name, args, status, reason, isOurs }: ShownApproval): string {
  const call = `${oneLine(name, 64)} ${args === undefined ? "" : oneLine(JSON.stringify(args), 80)}`.trimEnd();
  if (status === "asked") return `(asked: ${call})`;
  const why = reason === undefined ? "" : `, ${oneLine(reason, 200)}`;
  return `(${status}${isOurs ? "" : ", which cannot be verified here and does not count"}: ${call}${why})`;
}
