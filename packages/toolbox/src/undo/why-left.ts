import type { ToolboxError } from "../errors.ts";

/** Why a file cannot be restored, in a clause for a person: the message of the error advises a model. */
export function whyLeft({ code, message }: ToolboxError): string {
  if (code === "path_outside_root")
    return "is not restored: it lies outside of the folder now, or a link on its path leads out";
  if (code === "path_changed") return "is not restored: it was changed or moved just now, or a link stands on its path";
  if (code === "not_a_folder") return "is not restored: a file stands where one of its folders was";
  if (code === "out_of_reach") return "is not restored: it is one of the files that no tool may change";
  return `is not restored: ${message}`;
}
