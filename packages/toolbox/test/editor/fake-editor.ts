import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { TextFiles } from "../../src/files/editor/text-files.ts";

interface Behaviour {
  /** Whether it keeps line ends as LF and gives the file those that it had, as most editors do. */
  unifiesLineEnds?: boolean;
  /** What it makes of a text as it saves it. */
  formats?: (text: string) => string;
  timeout?: number;
}

/** An editor that opens each file of which it is asked. */
export class FakeEditor implements TextFiles {
  /** The text of each file that is open, by path. */
  readonly buffers = new Map<string, string>();
  /** The text that each open file had on the disk when it was opened or saved. */
  readonly #saved = new Map<string, string | undefined>();
  /** What it was asked, in order. */
  readonly asked: string[] = [];
  readonly timeout: number | undefined;
  /** Takes the place of an answer, to be a worse editor. */
  reads: ((path: string, honest: () => string) => string | Promise<string>) | undefined;
  writes: ((path: string, text: string, honest: () => void) => void | Promise<void>) | undefined;
  readonly #behaviour: Behaviour;

  constructor(behaviour: Behaviour = {}) {
    this.#behaviour = behaviour;
    this.timeout = behaviour.timeout;
  }

  /** The person types: the file gets this text, which is not saved. */
  type(path: string, text: string): void {
    this.#open(path);
    this.buffers.set(path, text);
  }

  /** The person saves. */
  save(path: string): void {
    const old = onDisk(path);
    const text = (this.#behaviour.formats ?? asItIs)(this.buffers.get(path) ?? "");
    this.buffers.set(path, text);
    const isCrlf = this.#behaviour.unifiesLineEnds && old?.includes("\r\n");
    writeFileSync(path, isCrlf ? text.replaceAll("\n", "\r\n") : text);
    this.#saved.set(path, onDisk(path));
  }

  /** It sees that a file has changed on the disk, and shows it if nothing is unsaved. */
  reload(path: string): void {
    if (!this.isUnsaved(path)) this.buffers.delete(path);
  }

  isUnsaved(path: string): boolean {
    const saved = this.#saved.get(path);
    return this.buffers.has(path) && this.buffers.get(path) !== (saved === undefined ? "" : this.#asShown(saved));
  }

  /** Whether another program has changed the file since it was opened or saved. */
  isChangedBelow(path: string): boolean {
    return this.buffers.has(path) && onDisk(path) !== this.#saved.get(path);
  }

  read = async (path: string): Promise<string> => {
    this.asked.push(`read ${path}`);
    const honest = () => {
      this.#open(path);
      const text = this.buffers.get(path);
      if (text === undefined) throw new Error(`no such file: ${path}`);
      return text;
    };
    return await (this.reads ? this.reads(path, honest) : honest());
  };

  write = async (path: string, text: string): Promise<void> => {
    this.asked.push(`write ${path}`);
    const honest = () => {
      this.buffers.set(path, text);
      this.save(path);
    };
    await (this.writes ? this.writes(path, text, honest) : honest());
  };

  #open(path: string): void {
    if (this.buffers.has(path)) return;
    const text = onDisk(path);
    this.#saved.set(path, text);
    if (text !== undefined) this.buffers.set(path, this.#asShown(text));
  }

  #asShown(text: string): string {
    return this.#behaviour.unifiesLineEnds ? text.replaceAll("\r\n", "\n") : text;
  }
}

function onDisk(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

function asItIs(text: string): string {
  return text;
}
