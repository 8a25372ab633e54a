import type { JsonObject, Proof } from "@cogency/protocol";
import type { KeyRing } from "@cogency/tools";
import type { Statement } from "@cogency/tools/host";
import { type JournalLine, journalLine } from "./records.ts";

/** Signs the lines of one conversation's journal: nobody else can add one, nor move one there from another conversation. */
export interface JournalSeal {
  /** The text of a line, with its proof. */
  seal(line: JournalLine): Promise<string>;
  /** The line in a text; undefined if it cannot be read or is not signed. */
  open(text: string): Promise<JournalLine | undefined>;
}

/** @param folder the name of the conversation's folder, which is a hash of the conversation and its user */
export function journalSeal(keyRing: KeyRing, folder: string): JournalSeal {
  // As it is read again: members that are undefined are not in the text.
  const stated = (line: JournalLine): Statement => ({
    purpose: "undo",
    folder,
    line: JSON.parse(JSON.stringify(line)) as JsonObject,
  });
  return {
    async seal(line) {
      return JSON.stringify({ line, proof: await keyRing.sign(stated(line)) });
    },
    async open(text) {
      try {
        const { line: given, proof } = JSON.parse(text) as { line: unknown; proof: Proof | undefined };
        const line = journalLine(given);
        return (await keyRing.verify(stated(line), proof)) === true ? line : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
