import type { Root } from "@cogency/toolbox";
import type { Content } from "@cogency/tools";

/**
 * Where a program is called.
 *
 * - `beforePrompt`, `beforeToolUse` guard: what they do not let through does not happen, also where the program fails
 * - the others watch: one that fails is told, and the run goes on as without it
 */
export type HookPoint = keyof typeof points;

interface PointRules {
  readonly isGuard: boolean;
  /** Whether `tools` says something here. */
  readonly isAboutCalls: boolean;
  /** What an answer may hold. */
  readonly fields: readonly (keyof HookAnswer)[];
  /** What exit code 2 means, with stderr as the text. */
  readonly refusal: "deny" | "context" | "end" | "continue" | undefined;
}

const points = {
  beforePrompt: { isGuard: true, isAboutCalls: false, fields: ["decision", "reason", "context"], refusal: "deny" },
  beforeRun: { isGuard: false, isAboutCalls: false, fields: ["context", "end"], refusal: "end" },
  beforeToolUse: {
    isGuard: true,
    isAboutCalls: true,
    fields: ["decision", "reason", "context", "end"],
    refusal: "deny",
  },
  afterToolUse: { isGuard: false, isAboutCalls: true, fields: ["context", "end"], refusal: "context" },
  onQuestion: { isGuard: false, isAboutCalls: true, fields: [], refusal: undefined },
  onStop: { isGuard: false, isAboutCalls: false, fields: ["continue"], refusal: "continue" },
  afterRun: { isGuard: false, isAboutCalls: false, fields: [], refusal: undefined },
} as const satisfies Readonly<Record<string, PointRules>>;

/** The names of all points. */
export const hookPoints = Object.keys(points) as readonly HookPoint[];

export function rulesOf(at: HookPoint): PointRules {
  return points[at];
}

/** What a program may answer on stdout, as one JSON object. */
export interface HookAnswer {
  /** `allow` says nothing against it: what asks still asks. `ask`, before a call alone: a person is asked. */
  readonly decision?: "allow" | "deny" | "ask";
  /** Why, for the model or the person who is asked. */
  readonly reason?: string;
  /** The model reads it before its next answer. */
  readonly context?: string;
  /** The run ends, for this reason. */
  readonly end?: string;
  /** The run goes on where it would end, and the model reads why. */
  readonly continue?: string;
}

/** A command that is called at one point of each run. */
export interface HookProgram {
  /** For people, and for the model that reads why a call was denied. Defaults to the command. */
  readonly name?: string | undefined;
  readonly at: HookPoint;
  /** One command line. It runs in `root`. */
  readonly command: string;
  /** The folder in which it runs, or a `Root` of it. Defaults to that of all programs. */
  readonly root?: string | Root | undefined;
  /** Calls of these tools alone; `*` at the end of a name stands for any letters. Defaults to all. */
  readonly tools?: readonly string[] | undefined;
  /** Seconds until it is ended, at most 100. Defaults to 10. */
  readonly timeout?: number | undefined;
  /** Whether it runs in a sandbox without a network; where there is none it fails. Defaults to false. */
  readonly sandbox?: boolean | undefined;
  /** What its texts bring into the conversation; nothing if it is the word of the person, the default. */
  readonly holds?: readonly Content["holds"][] | undefined;
  /** The files that it runs, as `fileStates` of `@cogency/toolbox/shell` gave them. If one has changed, it fails. */
  readonly files?: ReadonlyMap<string, string> | undefined;
}

/** How people call it. */
export function hookName({ name, command }: Pick<HookProgram, "name" | "command">): string {
  const text = name ?? command.replace(/\s+/g, " ").trim();
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}

/** Whether a program is for calls of this tool. */
export function isFor({ tools }: HookProgram, tool: string): boolean {
  if (tools === undefined) return true;
  return tools.some((name) => (name.endsWith("*") ? tool.startsWith(name.slice(0, -1)) : tool === name));
}
