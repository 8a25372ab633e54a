/**
 * - `root_not_found`, `root_not_a_folder`: the root that the host named
 * - `path_invalid`: empty, longer than the system allows, or holding a character that no path can hold
 * - `path_outside_root`: the path, or a link on it, leads out of the root or to nothing
 * - `path_changed`: something else was put in its place while it was being used
 * - `not_found`, `not_a_file`, `not_a_folder`: what is there is not what was asked for
 * - `too_large`, `not_text`: a file whose content is not given
 * - `pattern_invalid`: a glob that is not understood
 * - `permission_denied`, `io_error`: the system refused; `cause` is its error
 */
export type ToolboxErrorCode =
  | "root_not_found"
  | "root_not_a_folder"
  | "path_invalid"
  | "path_outside_root"
  | "path_changed"
  | "not_found"
  | "not_a_file"
  | "not_a_folder"
  | "too_large"
  | "not_text"
  | "pattern_invalid"
  | "permission_denied"
  | "io_error";

/** What every tool of this package throws. The message is written for the model and names nothing outside the root. */
export class ToolboxError extends Error {
  override readonly name = "ToolboxError";
  readonly code: ToolboxErrorCode;
  /** The path or pattern as it was given. */
  readonly path: string;

  constructor(code: ToolboxErrorCode, path: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.path = path;
  }
}
