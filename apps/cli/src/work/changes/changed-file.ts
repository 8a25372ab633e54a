/** A file that was changed, as a person reads it. */
export interface ChangedFile {
  readonly file: string;
  readonly change: "changed" | "created" | "deleted" | "renamed";
  readonly added: number;
  readonly removed: number;
  /** The lines of its diff, without those that name the file; a sentence for what is no text. */
  readonly lines: readonly string[];
}

/** What was changed since some moment. */
export interface Changes {
  /** Since when: `since turn 2, "fix the test"`. */
  readonly since: string;
  readonly files: readonly ChangedFile[];
  /** What is not shown, and why, in sentences. */
  readonly notes: readonly string[];
}

/** @param diff a unified diff of one file */
export function changedFile(file: string, change: ChangedFile["change"], diff: string): ChangedFile {
  const all = diff.trimEnd().split("\n");
  const body = all.findIndex((line) => line.startsWith("@@"));
  const hasHeader = body >= 0 || all[0] === "";
  const lines = hasHeader ? all.slice(Math.max(body, all[0] === "" ? all.length : 0)) : all;
  const count = (sign: string) => (body < 0 ? 0 : lines.filter((line) => line.startsWith(sign)).length);
  return { file, change, added: count("+"), removed: count("-"), lines };
}

/** `changed, +3 −1` */
export function changeText({ change, added, removed }: ChangedFile): string {
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])].join(" ");
  return counts === "" ? change : `${change}, ${counts}`;
}

/** The diffs of all files, one after another: each begins with `@ ` and the name of its file. */
export function diffLinesOf(files: readonly ChangedFile[]): string[] {
  return files.flatMap(({ file, lines }) => [`@ ${file}`, ...lines]);
}
