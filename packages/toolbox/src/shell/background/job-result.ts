import type { Content } from "@cogency/tools";
import type { Job, JobEnd } from "./job.ts";

/** A command in the background, and what it has printed since the last look. */
export interface JobResult {
  job: string;
  /** The command line, of which a long one is cut; only when it has begun. */
  command?: string;
  state: "running" | "ended";
  /** How long it has run, or ran. */
  seconds: number;
  /** The line that was waited for. */
  matched?: string;
  exitCode?: number;
  signal?: string;
  stdout: string;
  stderr: string;
  /** Bytes left out in the middle of a stream. Its text marks the place. */
  truncated?: { stdout?: number; stderr?: number };
  /** What it made and the sandbox has renamed, because programs outside would obey it; at most 20 paths. */
  setAside?: string[];
  /** Files that it changed and that make something run later. */
  runsLater?: string[];
  /** Says why, and what to do. */
  note?: string;
}

/** Looks at a job: what it has printed is not shown again. */
export function lookAt(job: Job, note?: string): JobResult {
  const { stdout, stderr } = job.take();
  const truncated = {
    ...(stdout.omitted > 0 && { stdout: stdout.omitted }),
    ...(stderr.omitted > 0 && { stderr: stderr.omitted }),
  };
  const { end } = job;
  const { setAside, runsLater, note: why } = end && "end" in end ? end.aside : job.aside;
  const notes = [note, end && problemOf(end), why].filter((text) => text !== undefined);
  return {
    job: job.id,
    state: end === undefined ? "running" : "ended",
    seconds: Math.round(job.seconds * 10) / 10,
    ...(end && endingOf(end)),
    stdout: stdout.text,
    stderr: stderr.text,
    ...(Object.keys(truncated).length > 0 && { truncated }),
    ...(setAside && { setAside }),
    ...(runsLater && { runsLater }),
    ...(notes.length > 0 && { note: notes.join(" ") }),
  };
}

/** What a look at a job brings into the conversation. @param job undefined as long as it is not known */
export function contentOf(id: string, job: Job | undefined): Content[] {
  const source = `output of ${id.slice(0, 60)}`;
  const isTrusted = job !== undefined && !job.isUntrusted;
  return [{ holds: "private", source }, ...(isTrusted ? [] : [{ holds: "untrusted" as const, source }])];
}

/** `exit code 1`, `ended by SIGTERM`: how a command ended. */
export function endText(end: JobEnd): string {
  if ("problem" in end) return "failed";
  const { exitCode, signal } = end.end;
  return signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
}

function endingOf(end: JobEnd): Pick<JobResult, "exitCode" | "signal"> {
  if ("problem" in end) return {};
  const { exitCode, signal } = end.end;
  return signal === null ? { exitCode: exitCode ?? 0 } : { signal };
}

function problemOf(end: JobEnd): string | undefined {
  if (!("problem" in end)) return undefined;
  return end.problem instanceof Error ? end.problem.message : String(end.problem);
}
