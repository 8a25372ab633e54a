import type { Attack } from "../../harness/attack.ts";
import { runText } from "./run-text.ts";

/** Names of unknown tools that resemble a known one. */
export const toolNames = [
  "Wipe",
  "WIPE",
  " wipe",
  "wipe ",
  "wi\u200bpe",
  "w\u0456pe",
  "wipe\u0000",
  "wipe()",
  "functions.wipe",
  "./wipe",
  "wipe\n",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "",
];

export function toolNameAttack(name: string): Attack {
  return {
    name: `a tool named ${JSON.stringify(name)}`,
    async run() {
      const ran: string[] = [];
      await runText(`<execute>${JSON.stringify([{ name, args: { disk: "a" } }])}</execute>`, ran);
      return ran.length > 0 ? `ran ${ran.join()}` : undefined;
    },
  };
}
