import type { ToolCall } from "@cogency/protocol";
import type { Call, Turn } from "./day.ts";

/** The texts of the day. Each names its turn, so that each can be found and counted, and fits on a narrow terminal. */

export const ledger = "ledger.txt";
export const emptyLedger = "begin\nend\n";
export const effects = "effects.txt";

export const promptOf = ({ name }: Pick<Turn, "name">) => `${name} please do this now`;
export const steerOf = ({ name }: Turn) => `S${name.slice(1)} and think of this, too`;
export const queuedOf = ({ name }: Turn) => `Q${name.slice(1)} and then of that`;
export const asideOf = ({ name }: Turn) => `F${name.slice(1)} and in the fork this`;
/** The word by which the model knows what was said. */
export const nameOf = (said: string) => said.slice(0, 3);
export const createdBy = ({ name }: Turn) => `made/${name}.txt`;
export const effectOf = ({ name }: Pick<Turn, "name">, at: number) => `${name}-${at}`;

/** The paragraphs of an answer: more than a screen has rows. */
export function answerOf(name: string): string[] {
  return [`${name} begins.`, ...Array.from({ length: 12 }, (_, at) => `${name} says ${at + 1}.`), `${name} ends.`];
}

/** The answer to what was said in the middle. */
export const heard = (steer: string) => `Heard ${nameOf(steer)}.`;

/** The call as the model writes it. */
export function toolCall(turn: Turn, call: Call, at: number): ToolCall {
  const line = effectOf(turn, at);
  switch (call.does) {
    case "edit":
      return { name: "edit", args: { file: ledger, edits: [{ old: "end\n", new: `${turn.name}\nend\n` }] } };
    case "create":
      return { name: "write", args: { file: createdBy(turn), content: `${turn.name}\n` } };
    case "effect":
      return { name: "shell", args: { command: `sh effect.sh ${line}` } };
    case "fail":
      return { name: "shell", args: { command: `sh fail.sh ${line}` } };
    case "hold":
      return { name: "shell", args: { command: `sh hold.sh ${line}` } };
  }
}

/** The programs that the calls run. */
export const programs = {
  "effect.sh": `echo "$1" >> ${effects}\n`,
  "fail.sh": `echo "$1" >> ${effects}\necho "no $1" >&2\nexit 3\n`,
  "hold.sh": `echo "$1" >> ${effects}\nwhile [ ! -e "released-$1" ]; do sleep 0.02; done\n`,
};
