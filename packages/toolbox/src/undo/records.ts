import * as z from "zod";
import type { Access } from "../files/confine/root.ts";

/** The lines of a journal. Each is written before or after the thing that it tells, in one write. */
function journalSchema() {
  const mode = z.number().int().min(0).max(0o777);

  const hash = z.string().regex(/^[0-9a-f]{64}$/);

  const state = z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("missing") }),
    z.object({
      kind: z.literal("file"),
      hash: hash.optional(),
      size: z.number().int().min(0),
      mode,
      stamp: z.string().optional(),
    }),
    z.object({ kind: z.literal("folder"), mode }),
    z.object({ kind: z.literal("link"), target: z.string() }),
  ]);

  const path = z.string().min(1);

  const place = {
    id: z.string().min(1),
    call: z.string(),
    /** Unix time in seconds. */
    time: z.number(),
    /** The real path of the base of the root. */
    root: path,
    access: z.enum(["project", "system"]) satisfies z.ZodType<Access>,
  };

  const changedFile = z.object({
    /** As `pathInRoot` shows it. */
    file: path,
    before: state,
    after: state,
    /** The folders that did not exist, the outermost first. */
    folders: z.array(path).optional(),
  });

  return z.discriminatedUnion("kind", [
    /** These files are about to be changed. */
    z.object({ kind: z.literal("change"), tool: z.string(), files: z.array(changedFile), ...place }),
    /** These files of a change were changed, or all. */
    z.object({ kind: z.literal("done"), change: path, files: z.array(path).optional() }),
    /** These files of a change were not changed, or none was. */
    z.object({ kind: z.literal("discarded"), change: path, files: z.array(path).optional() }),
    /** A command is about to run. */
    z.object({
      kind: z.literal("command"),
      /** The hash of the list of what was kept. Absent in lines of versions that kept nothing. */
      tree: hash.optional(),
      /** The process that runs it. */
      by: z.string().optional(),
      ...place,
    }),
    /** A command has ended. */
    z.object({
      kind: z.literal("ended"),
      command: path,
      /** What changed, beyond `changes`: of it nothing is known. */
      files: z.array(path),
      changes: z.array(z.object({ file: path, before: state, after: state })).optional(),
      /** What git ignores and may have changed. */
      ignored: z.array(path).optional(),
      isComplete: z.boolean(),
    }),
  ]);
}

// Made when the first line is read, since most runs read none.
let schema: ReturnType<typeof journalSchema> | undefined;

/** @throws ZodError */
export function journalLine(content: unknown): JournalLine {
  schema ??= journalSchema();
  return schema.parse(content);
}

export type JournalLine = z.infer<ReturnType<typeof journalSchema>>;
export type ChangeLine = Extract<JournalLine, { kind: "change" }>;
export type EndedLine = Extract<JournalLine, { kind: "ended" }>;
export type CommandLine = Extract<JournalLine, { kind: "command" }>;
