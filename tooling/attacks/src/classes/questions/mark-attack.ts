import type { Attack } from "../../harness/attack.ts";
import { openTerminal } from "../../harness/terminal.ts";
import type { InvisibleMark } from "./invisible-marks.ts";
import { type Call, runOf } from "./terminal-question.ts";

/** Puts the mark into a file's content, a command, an edit and an address, and denies each question. */
export function markAttack([name, mark]: InvisibleMark): Attack {
  return {
    name: `mark: ${name}`,
    isDear: true,
    async run(place) {
      const calls: Call[] = [
        { name: "write", args: { file: "a.md", content: `safe${mark}evil1` } },
        { name: "shell", args: { command: `echo 'safe${mark}evil2'` } },
        { name: "edit", args: { file: "package.json", edits: [{ old: `safe${mark}evil3`, new: `safe${mark}evil4` }] } },
        { name: "scrape", args: { url: `https://example.invalid/safe${mark}evil5` } },
      ];
      const terminal = openTerminal(place, runOf(place, calls));
      place.put("root/package.json", `safe${mark}evil3`);
      for (let question = 0, from = 0; question < calls.length; question++) {
        if (
          !(await terminal.until(/wants to run|That was it/, from)) ||
          terminal.shown().slice(from).includes("That was it")
        )
          break;
        await terminal.idle(150);
        from = terminal.shown().length;
        terminal.type("n\r");
      }
      await terminal.until(/That was it/);
      terminal.kill();
      const raw = terminal.raw();
      if (!/evil1/.test(raw)) throw new Error(`No question was put: ${raw}`);
      const bad = [1, 2, 3, 4, 5].filter(
        (place) => raw.includes(`${mark}evil${place}`) || new RegExp(`safe\\s*evil${place}`).test(terminal.shown()),
      );
      return bad.length > 0 ? `it was written as it is, or left out, in place ${bad.join(", ")}` : undefined;
    },
  };
}
