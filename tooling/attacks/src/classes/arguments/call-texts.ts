import type { Attack } from "../../harness/attack.ts";
import { runText } from "./run-text.ts";

/** Calls that are malformed or contain a key twice. Keys other than name and arguments are ignored (protocol.md §1). */
export const callTexts = [
  '{"name":"wipe","args":{"disk":"a"},"args":{"disk":"b"}}',
  '{"name":"look","name":"wipe","args":{"disk":"a"}}',
  '{"name":"wipe","args":{"disk":"a","disk":"b"}}',
  '{"name":"wipe","args":[["disk","a"]]}',
  '{"name":"wipe","args":"{\\"disk\\":\\"a\\"}"}',
  '{"name":["wipe"],"args":{"disk":"a"}}',
  '{"name":{"toString":"wipe"},"args":{"disk":"a"}}',
  '{"__proto__":{"name":"wipe"},"args":{"disk":"a"}}',
];

export function callTextAttack(call: string): Attack {
  return {
    name: `a call written ${call}`,
    async run() {
      const ran: string[] = [];
      await runText(`<execute>[${call}]</execute>`, ran);
      return ran.length > 0 ? `ran ${ran.join()}` : undefined;
    },
  };
}
