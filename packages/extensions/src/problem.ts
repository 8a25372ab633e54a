/**
 * - `export_unusable`: the module exports by default nothing that an agent can use
 * - `options_invalid`: its schema refuses the options
 * - `factory_failed`, `timed_out`: its function threw, or took too long
 * - `hook_invalid`, `instructions_invalid`: nothing of it is used, since its tools may count on them
 * - `tool_invalid`, `skill_invalid`, `command_invalid`: this one is left out
 * - `name_taken`: another tool, skill or command of the name comes first
 */
export type ExtensionProblemCode =
  | "export_unusable"
  | "options_invalid"
  | "factory_failed"
  | "timed_out"
  | "hook_invalid"
  | "instructions_invalid"
  | "tool_invalid"
  | "skill_invalid"
  | "command_invalid"
  | "name_taken";

/** Why an extension, or one of its parts, is left out. */
export interface ExtensionProblem {
  readonly code: ExtensionProblemCode;
  /** One line: which part, what is wrong with it, and what to write instead. */
  readonly message: string;
}

/** Ends the opening of an extension. */
export class Unusable extends Error {
  readonly code: ExtensionProblemCode;

  constructor(code: ExtensionProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The first line of an error's message, or of a value that is none. Never throws: a message may be a getter that does. */
export function reasonOf(error: unknown): string {
  try {
    const message = error instanceof Error ? error.message : String(error);
    return (String(message).split("\n")[0] ?? "").slice(0, 500) || "an error without a message";
  } catch {
    return "an error that cannot be read";
  }
}
