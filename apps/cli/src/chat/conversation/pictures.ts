import type { Attachment } from "@cogency/protocol";
import { attachmentBytes } from "@cogency/tools/host";
import type { AttachedFile } from "../../work/prompt/attached-files.ts";

/** Pictures that are kept at once; the earliest goes first. */
const mostKept = 20;

/**
 * The pictures that were pasted. Each stands in what is typed as a mark, `[picture 1, png, 23 KB]`, and goes with the prompt that holds the
 * mark: who deletes the mark takes the picture out, and who brings an earlier prompt back has it again.
 */
export class Pictures {
  readonly #kept = new Map<string, Attachment>();
  #count = 0;

  /** Keeps a picture. @returns its mark */
  add(picture: Attachment): string {
    this.#count++;
    return this.#keep(this.#count, picture);
  }

  /** The pictures whose marks a text holds, in the order of their numbers. */
  in(text: string): AttachedFile[] {
    return [...this.#kept].flatMap(([mark, attachment]) => {
      const asked = attachment.name ?? mark;
      return text.includes(mark) ? [{ asked, real: asked, attachment }] : [];
    });
  }

  /** Keeps the pictures of a prompt from the log whose marks it holds. */
  again(text: string, attachments: readonly Attachment[]): void {
    for (const attachment of attachments) {
      const number = Number(/^picture-(\d{1,6})\.\w+$/.exec(attachment.name ?? "")?.[1]);
      if (!(number > 0) || !text.includes(markOf(number, attachment))) continue;
      this.#keep(number, attachment);
      this.#count = Math.max(this.#count, number);
    }
  }

  #keep(number: number, picture: Attachment): string {
    const mark = markOf(number, picture);
    this.#kept.set(mark, { ...picture, name: `picture-${number}.${endingOf(picture)}` });
    for (const [earliest] of this.#kept) {
      if (this.#kept.size <= mostKept) break;
      this.#kept.delete(earliest);
    }
    return mark;
  }
}

function markOf(number: number, picture: Attachment): string {
  const bytes = typeof picture.data === "string" ? attachmentBytes(picture) : 0;
  const size = Math.max(1, Math.round(bytes / 1000)).toLocaleString("en");
  return `[picture ${number}, ${endingOf(picture)}, ${size} KB]`;
}

function endingOf({ mediaType }: Attachment): string {
  return mediaType.replace(/^image\//, "");
}
