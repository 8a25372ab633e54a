import type { Random } from "../support/random.ts";
import type { FileStep } from "./steps.ts";

/** A simulated disk. It keeps flushed data; of other writes it may keep some, in any order, as whole sectors. */
export interface Disk {
  take(step: FileStep): void;
  /** The files after a power cut at this moment: path → content. */
  afterPowerCut(random: Random): Map<string, Buffer>;
}

type Change = Extract<FileStep, { kind: "write" | "truncate" }>;

interface File {
  flushed: Buffer;
  /** The writes since the last flush. */
  changes: Change[];
}

export function createDisk(folder: string): Disk {
  /** The entries of the folder, and those that certainly survive a power cut. */
  const listed = new Map<string, File>();
  let flushed = new Map<string, File>();

  return {
    take(step) {
      const file = listed.get(step.path);
      if (step.path === folder) flushed = new Map(listed);
      else if (step.kind === "create") listed.set(step.path, file ?? { flushed: Buffer.alloc(0), changes: [] });
      else if (!file) throw new Error(`${step.path} is not there: ${step.kind}`);
      else if (step.kind === "remove") listed.delete(step.path);
      else if (step.kind !== "flush") file.changes.push(step);
      else {
        file.flushed = withChanges(file.flushed, file.changes);
        file.changes = [];
      }
    },

    afterPowerCut(random) {
      const kept = random.pick([0, 0.5, 0.9, 1]);
      const paths = new Set([...listed.keys(), ...flushed.keys()]);
      const files = Array.from(paths).flatMap((path): [string, Buffer][] => {
        const file = random.next() < kept ? listed.get(path) : flushed.get(path);
        return file ? [[path, survivor(file, kept, random)]] : [];
      });
      return new Map(files);
    },
  };
}

function survivor(file: File, kept: number, random: Random): Buffer {
  const parts = file.changes.flatMap((change) => (change.kind === "write" ? sectorsOf(change) : change));
  return withChanges(
    file.flushed,
    parts.filter(() => random.next() < kept),
  );
}

const sector = 512;

function sectorsOf({ path, offset, bytes }: Extract<Change, { kind: "write" }>): Change[] {
  const parts: Change[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + sector - ((offset + start) % sector));
    parts.push({ kind: "write", path, offset: offset + start, bytes: bytes.subarray(start, end) });
    start = end;
  }
  return parts;
}

function withChanges(before: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => (change.kind === "write" ? change.offset + change.bytes.length : change.length));
  const content = Buffer.alloc(ends.reduce((one, other) => Math.max(one, other), before.length));
  before.copy(content);
  let length = before.length;
  for (const [index, change] of changes.entries()) {
    const end = ends[index] ?? 0;
    if (change.kind === "write") {
      change.bytes.copy(content, change.offset);
      length = Math.max(length, end);
    } else {
      content.fill(0, end, Math.max(end, length));
      length = end;
    }
  }
  return content.subarray(0, length);
}
