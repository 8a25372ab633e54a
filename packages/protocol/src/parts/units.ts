import type { RespondEvent, ThinkEvent } from "../events.ts";
import type { Draft } from "./draft.ts";
import type { TextPart, ThinkingPart } from "./part.ts";
import { textOf } from "./untrusted.ts";

/** Adds a unit, or a piece to the open one. Units stand before the calls that are announced, as they do in the log. */
export function addPiece(draft: Draft, event: ThinkEvent | RespondEvent, isStored: boolean): void {
  const content = textOf(event.content);
  if (content === "") return;
  const type = event.type === "think" ? "thinking" : "text";
  const at = openUnit(draft);
  const open = draft.parts[at] as TextPart | ThinkingPart | undefined;
  if (open?.type === type && open.unit === event.unit) {
    draft.replace(at, 1, { ...open, content: open.content + content });
    return;
  }
  closeUnit(draft);
  const announced = draft.openCalls().find(({ call }) => call.announced);
  const { unit } = event;
  const isWhole = isStored || unit === undefined;
  draft.replace(announced?.at ?? draft.parts.length, 0, { type, content, ...(!isWhole && { open: true, unit }) });
}

/** Settles the open unit, if there is one. */
export function closeUnit(draft: Draft): void {
  const at = openUnit(draft);
  if (at < 0) return;
  const { type, content } = draft.parts[at] as TextPart | ThinkingPart;
  draft.replace(at, 1, { type, content });
}

/** The index of the open unit, which is the last one; -1 if it is settled. No settled call stands behind an open unit. */
function openUnit({ parts }: Draft): number {
  const at = parts.findLastIndex((part) => (part.type === "call" ? !part.open : unitsAndWords.has(part.type)));
  const last = parts[at];
  return last && "unit" in last ? at : -1;
}

const unitsAndWords: ReadonlySet<string> = new Set(["text", "thinking", "user"]);
