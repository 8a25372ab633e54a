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
  /** The proof of a content that stands beside the journal, by its hash. */
  prove(hash: string): Promise<Proof>;
  /** Whether a text is the proof of a content. */
  proves(hash: string, proof: string): Promise<boolean>;
}

/** @param folder the name of the conversation's folder, which is a hash of the conversation and its user */
export function journalSeal(keyRing: KeyRing, folder: string): JournalSeal {
  // As it is read again: members that are undefined are not in the text.
  const stated = (line: JournalLine): Statement => ({
    purpose: "undo",
    folder,
    line: JSON.parse(JSON.stringify(line)) as JsonObject,
  });
  const memory = (hash: string): Statement => ({ purpose: "undo", folder, memory: hash });
  return {
    prove: async (hash) => keyRing.sign(memory(hash)),
    async proves(hash, proof) {
      try {
        return (await keyRing.verify(memory(hash), JSON.parse(proof) as Proof)) === true;
      } catch {
        return false;
      }
    },
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
