import type { Change } from "@cogency/server/bridge";
import type { ChatChunk } from "../message.ts";
import type { Draft } from "./draft.ts";
import type { AnswerPart } from "./part.ts";
import { partChunks } from "./part-chunks.ts";

type UnitChange = Extract<Change, { type: "unit" | "unit_delta" | "unit_end" }>;

/** What becomes of a text, or of reasoning. One that is not stored, or not as it was sent, is taken back. */
export function unitChunks(draft: Draft, change: UnitChange): ChatChunk[] {
  const { id } = change;
  if (change.type === "unit") return [{ type: change.kind === "text" ? "text-start" : "reasoning-start", id }];
  const unit = draft.unit(id);
  if (!unit) return [];
  if (change.type === "unit_delta") return grown(unit.type, id, change.text);
  const { text } = change;
  if (text === undefined) return rewritten(draft, (part) => (part === unit ? undefined : part));
  const rest = text.startsWith(unit.text)
    ? grown(unit.type, id, text.slice(unit.text.length))
    : rewritten(draft, (part) => (part === unit ? { ...unit, text } : part));
  return [...rest, { type: `${unit.type}-end`, id }];
}

/** Makes the current step anew, with what `keep` returns for each of its parts. */
export function rewritten(draft: Draft, keep: (part: AnswerPart) => AnswerPart | undefined): ChatChunk[] {
  const kept = draft.step.flatMap((part) => {
    const anew = keep(part);
    return anew ? partChunks(anew, draft.idOf(part)) : [];
  });
  return [{ type: "reset-step" }, ...kept];
}

function grown(type: "text" | "reasoning", id: string, delta: string): ChatChunk[] {
  return delta === "" ? [] : [{ type: `${type}-delta`, id, delta }];
}
