import type { Attack } from "../../harness/attack.ts";
import { openTerminal } from "../../harness/terminal.ts";
import { asked, type Call, runOf } from "./terminal-question.ts";
import type { TypedAnswer } from "./typed-answers.ts";

export function typedAnswerAttack([name, typed, when, mayRun]: TypedAnswer): Attack {
  return {
    name: `answer: ${name}`,
    isDear: true,
    async run(place) {
      const calls: Call[] = ["one.txt", "two.txt"].map((file) => ({ name: "write", args: { file, content: "x" } }));
      const terminal = openTerminal(place, runOf(place, calls));
      // The program has begun to read the terminal; the question comes a moment later.
      if (when === "before") terminal.type(typed);
      await asked(terminal);
      if (when === "at") terminal.type(typed);
      await terminal.idle(700);
      const ran = ["one.txt", "two.txt"].filter((file) => place.text(`root/${file}`) !== undefined);
      // The rest of the input must not answer the second question.
      terminal.type("n\r");
      await terminal.idle(300);
      terminal.type("n\r");
      await terminal.idle(300);
      terminal.kill();
      const late = ["one.txt", "two.txt"].filter((file) => place.text(`root/${file}`) !== undefined);
      const count = Math.max(ran.length, late.length);
      return count > mayRun ? `${count} calls ran, and ${mayRun} may` : undefined;
    },
  };
}
