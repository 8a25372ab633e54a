import type { Said, SaidDecision, SaidOutput, SaidWords } from "../said.ts";
import { wrong } from "../wire-problem.ts";

/** What a client says, divided at the last thing that the model has said. */
export interface Divided {
  readonly before: readonly Said[];
  readonly last: readonly Said[];
}

export function divided(said: readonly Said[]): Divided {
  const at = said.findLastIndex(({ type }) => ofTheModel.has(type)) + 1;
  return { before: said.slice(0, at), last: said.slice(at) };
}

const ofTheModel: ReadonlySet<Said["type"]> = new Set(["reply", "call", "reference"]);

export function outputsIn(said: readonly Said[]): SaidOutput[] {
  return said.filter((one) => one.type === "output");
}

export function decisionsIn(said: readonly Said[]): SaidDecision[] {
  return said.filter((one) => one.type === "decision");
}

/** Words of the client as one message: those of the person, and after them what the client instructs, in a block of its own. */
export function joinedWords(said: readonly Said[]): SaidWords | undefined {
  const words = said.filter((one) => one.type === "words");
  const instructions = said.flatMap((one) => (one.type === "instructions" && one.text !== "" ? one.text : []));
  const block = instructions.length === 0 ? [] : [`<instructions>\n${instructions.join("\n\n")}\n</instructions>`];
  const text = [...words.flatMap((one) => (one.text === "" ? [] : one.text)), ...block].join("\n\n");
  const attachments = words.flatMap((one) => one.attachments);
  return text.trim() === "" && attachments.length === 0 ? undefined : { type: "words", text, attachments };
}

/**
 * Fails for a history that no model could have: results without calls, calls without results.
 *
 * @throws WireProblem
 */
export function checkRounds(said: readonly Said[]): void {
  const open = new Map<string, string>();
  for (const one of said) {
    if (one.type === "call") {
      if (open.has(one.id)) throw wrong(one.param, "another call has the same id");
      open.set(one.id, one.param);
    } else if (one.type === "output") {
      if (!open.delete(one.call)) throw wrong(one.param, "it is the result of a call that does not stand before it");
    } else if (open.size > 0) throw unanswered(open);
  }
  if (open.size > 0) throw unanswered(open);
}

function unanswered(open: ReadonlyMap<string, string>) {
  const [[id = "", param = ""] = []] = open;
  return wrong(param, `no tool output follows for the function call ${id.slice(0, 80)}`);
}
