import { pathInRoot, type Root } from "../files/confine/root.ts";
import type { SetAside } from "../sandbox/obeyed/kept-places.ts";
import type { CommandEnd } from "./run/run-command.ts";

/** The output of a program that ended with exit code 0. */
export interface ShellResult {
  exitCode: 0;
  stdout: string;
  stderr: string;
  /** Bytes left out in the middle of a stream. Its text marks the place. */
  truncated?: { stdout?: number; stderr?: number };
  /** What the program made and the sandbox has renamed, because programs outside would obey it; at most 20 paths. */
  setAside?: string[];
  /**
   * The files that the command created or changed and that make something run later, with what changed in them, such as
   * `package.json: scripts test`; at most 20.
   */
  runsLater?: string[];
  /** Says why, and what to do. */
  note?: string;
}

/** What the sandbox has set aside and what runs later, as it is shown. */
export type Aside = Pick<ShellResult, "setAside" | "runsLater" | "note">;

export function asideOf(root: Root, moved: readonly SetAside[], later: readonly string[]): Aside {
  const { note, ...aside } = setAsideOf(root, moved);
  if (later.length === 0) return { ...aside, ...(note !== undefined && { note }) };
  const all = later.length > mostAside ? ` ${later.length} files in all.` : "";
  const told = `Programs will obey these files without anybody starting them: tell the person.${all}`;
  return {
    ...aside,
    runsLater: later.slice(0, mostAside),
    note: [...(note === undefined ? [] : [note]), told].join(" "),
  };
}

function setAsideOf(root: Root, moved: readonly SetAside[]): Pick<ShellResult, "setAside" | "note"> {
  if (moved.length === 0) return {};
  const paths = moved.map(({ path }) => pathInRoot(root, path));
  const left = moved.filter(({ now }) => now === undefined).map(({ path }) => `"${pathInRoot(root, path)}"`);
  const why =
    "Programs outside the sandbox obey files of these names, so no command may make them: they were renamed to *.set-aside.";
  const advice = "The tool write can make instructions, if a person allows it.";
  const stays = left.length > 0 ? ` Could not be renamed, so a person must remove: ${left.join(", ")}.` : "";
  return { setAside: paths.slice(0, mostAside), note: `${why} ${advice}${stays}` };
}

const mostAside = 20;

export function resultOf({ stdout, stderr }: CommandEnd, aside: Aside): ShellResult {
  const truncated = {
    ...(stdout.omitted > 0 && { stdout: stdout.omitted }),
    ...(stderr.omitted > 0 && { stderr: stderr.omitted }),
  };
  return {
    exitCode: 0,
    stdout: stdout.text,
    stderr: stderr.text,
    ...(Object.keys(truncated).length > 0 && { truncated }),
    ...aside,
  };
}
