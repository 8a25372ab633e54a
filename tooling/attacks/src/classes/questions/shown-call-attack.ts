import type { Attack } from "../../harness/attack.ts";
import type { Place } from "../../harness/place.ts";
import { openTerminal, type Terminal } from "../../harness/terminal.ts";
import type { ShownCall } from "./shown-calls.ts";
import { asked, runOf } from "./terminal-question.ts";

/** Answers yes as soon as the output stops, and checks whether the yes counted before everything was shown. */
export function shownCallAttack({ name, call, readable, prepare, columns, isControl }: ShownCall): Attack {
  return {
    name: `shown: ${name}`,
    isDear: true,
    ...(isControl && { isControl }),
    async run(place) {
      place.put("root/package.json", '{"name":"x"}');
      prepare?.(place);
      const terminal = openTerminal(place, runOf(place, [call(place)]), { ...(columns !== undefined && { columns }) });
      const before = await asked(terminal);
      terminal.type("y\r");
      const missing = readable(place).filter((wanted) => !isReadable(terminal.shown(), wanted));
      const ran = await begins(place, terminal, before);
      if (isControl)
        return ran && missing.length === 0 ? undefined : `it did not run, or was not shown: ${terminal.shown()}`;
      return ran && missing.length > 0
        ? `a yes counted before this could be read: ${missing.join(", ").slice(0, 80)}`
        : undefined;
    },
  };
}

/** Whether a call began after the answer. Kills the command in any case. */
async function begins(place: Place, terminal: Terminal, from: number): Promise<boolean> {
  await terminal.until(/→|✗|That was it|refused/, from, 3000);
  await terminal.idle(150);
  terminal.kill();
  await terminal.ended(3000);
  return (await place.log("c")).some((event) => event.type === "record" && event.kind === "started");
}

function isReadable(text: string, wanted: string | RegExp): boolean {
  // A path or a command may be broken into lines anywhere.
  if (typeof wanted === "string") return plain(text).includes(plain(wanted));
  return wanted.test(text) || wanted.test(plain(text));
}

/** Removes white space and the characters at the edge of wrapped lines. */
function plain(text: string): string {
  return text.replace(/[\s│┃|↪⏎+>-]/gu, "");
}
