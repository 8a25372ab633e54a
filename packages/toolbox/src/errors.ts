/**
 * - `root_not_found`, `root_not_a_folder`: the root that the host named
 * - `access_invalid`, `tool_unknown`: the host named an access level or a tool that does not exist
 * - `store_missing`: the host asked for `recall` without a store
 * - `jobs_missing`: the host asked for `shell_output` or `shell_stop` without jobs
 * - `sandbox_invalid`: a link or a file stands in the place of the sandbox folder
 * - `path_invalid`: empty, longer than the system allows, or holding a character that no path can hold
 * - `path_outside_root`: the path, or a link on it, leads out of the root or to nothing
 * - `out_of_reach`: the host guards the path from every tool
 * - `path_changed`: the file was changed or replaced while it was being used; trying again is fine
 * - `not_found`, `not_a_file`, `not_a_folder`: nothing, or something of another kind, stands at the path
 * - `exists`: the file to create exists already
 * - `too_large`, `not_text`: the tools neither show nor change this file
 * - `range_invalid`: a line or column beyond the end of the file
 * - `edit_failed`: edits that cannot be applied; the error is an `EditError`
 * - `pattern_invalid`, `expression_invalid`: a glob, or a regular expression or its replacement, that is not understood
 * - `no_match`, `too_many`: no file holds the text to replace, or more files do than one call may change
 * - `unsaved`: an editor has changes of the file that are not saved, and the tool cannot change them
 * - `editor_failed`: an editor did not answer, or did not write; the file is as it was
 * - `partly_changed`: a change of several files failed, and some files could not be restored; or an editor
 *   did not say whether it has written the file
 * - `permission_denied`, `io_error`: the system refused, and `cause` is its error; or what these tools never give or
 *   change: the folders of processes in /proc, and changes of what git takes its settings from
 */
export type ToolboxErrorCode =
  | "root_not_found"
  | "root_not_a_folder"
  | "access_invalid"
  | "tool_unknown"
  | "store_missing"
  | "jobs_missing"
  | "sandbox_invalid"
  | "path_invalid"
  | "path_outside_root"
  | "out_of_reach"
  | "path_changed"
  | "not_found"
  | "not_a_file"
  | "not_a_folder"
  | "exists"
  | "too_large"
  | "not_text"
  | "range_invalid"
  | "edit_failed"
  | "pattern_invalid"
  | "expression_invalid"
  | "no_match"
  | "too_many"
  | "unsaved"
  | "editor_failed"
  | "partly_changed"
  | "permission_denied"
  | "io_error";

/** Thrown by the file tools. The message is written for the model and names nothing outside the root. */
export class ToolboxError extends Error {
  override readonly name: string = "ToolboxError";
  readonly code: ToolboxErrorCode;
  /** The system's own error may name other paths. */
  readonly hidesCause = true;
  /** The path, pattern or expression as it was given. */
  readonly path: string;

  constructor(code: ToolboxErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}

/** Why one edit of a call cannot be applied. */
export interface EditFailure {
  /** Its number, counted from 1. */
  readonly edit: number;
  readonly reason: "not_found" | "ambiguous" | "no_change";
  /** Where it would fit (`ambiguous`) or nearly fits (`not_found`), counted from 1. */
  readonly lines: readonly number[];
}

/** Some edits cannot be applied, so nothing was written. */
export class EditError extends ToolboxError {
  override readonly name = "EditError";
  /** One for each edit that cannot be applied, in their order. */
  readonly failures: readonly EditFailure[];

  constructor(path: string, message: string, failures: readonly EditFailure[]) {
    super("edit_failed", path, message);
    this.failures = failures;
  }
}
