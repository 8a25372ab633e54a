import { createHash } from "node:crypto";
import { plain } from "./same-text.ts";

/** Digests of what was last seen of a file. */
interface Seen {
  /** Of the text that the editor and the disk both had. */
  readonly agreed?: string | undefined;
  readonly disk: string;
  readonly held: string;
}

/**
 * How the text of an editor and that of the disk relate. `same`: they are. `unsaved`: the person has changed the one in the editor.
 * `stale`: another program has changed the file, and the editor has not seen it. `conflict`: both were changed.
 */
export type Relation = "same" | "unsaved" | "stale" | "conflict";

/** What was seen of the files of one editor. From two texts alone nobody can tell which of them is the newer one. */
export class SeenTexts {
  /** By real path. */
  readonly #files = new Map<string, Seen>();

  /** Compares the texts with those that were seen before. */
  look(real: string, held: string, disk: string): Relation {
    const now = { held: digestOf(held), disk: digestOf(disk) };
    const before = this.#files.get(real);
    if (now.held === now.disk) {
      this.#note(real, { ...now, agreed: now.held });
      return "same";
    }
    if (now.held === before?.agreed) return "stale";
    // What the editor has had may come to the disk at any time: the person saves it.
    if (before && now.disk !== before.disk && now.disk !== before.held) return "conflict";
    this.#note(real, { ...now, agreed: before?.agreed });
    return "unsaved";
  }

  #note(real: string, seen: Seen): void {
    this.#files.delete(real);
    this.#files.set(real, seen);
    const [oldest] = this.#files.keys();
    if (this.#files.size > mostFiles && oldest !== undefined) this.#files.delete(oldest);
  }
}

const mostFiles = 1000;

function digestOf(text: string): string {
  return createHash("sha256").update(plain(text)).digest("hex");
}
