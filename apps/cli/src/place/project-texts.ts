import type { Content } from "@cogency/tools";
import { hasSeen } from "./config/trust.ts";
import { hashOf, mostContextBytes } from "./context-files.ts";

/** A text of a project as it was read. */
export interface ProjectText {
  /** Its path, and its real one. */
  readonly file: string;
  readonly real: string;
  /** All of it. */
  readonly source: string;
}

/**
 * What texts of a project bring that is trusted: each is private. One is untrusted where its file is marked, and where nobody has
 * looked at it since it was changed.
 */
export class ProjectTexts {
  /** The files that nobody has looked at since they were changed, of those that were asked about. */
  readonly unseen = new Set<string>();
  readonly #isMarked: (real: string) => boolean;

  constructor(isMarked: (real: string) => boolean) {
    this.#isMarked = isMarked;
  }

  heldBy(text: ProjectText): Content[] {
    const { file, real } = text;
    const isSeen = wasSeen(text);
    if (!isSeen) this.unseen.add(file);
    const isUntrusted = !isSeen || this.#isMarked(real) || this.#isMarked(file);
    return [
      ...(isUntrusted ? [{ holds: "untrusted" as const, source: file }] : []),
      { holds: "private", source: file },
    ];
  }
}

/** Whether a person has seen all of the text, as it is now. */
function wasSeen({ file, source }: ProjectText): boolean {
  const bytes = Buffer.from(source);
  return bytes.length <= mostContextBytes && hasSeen(file, hashOf({ bytes, size: bytes.length }));
}
