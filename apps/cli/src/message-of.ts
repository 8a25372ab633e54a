import { ConflictError } from "@cogency/storage";
import { causeOf } from "./cause-of.ts";

/** What an error says to somebody at the command line, who can do less about it than a program can. */
export function messageOf(error: Error): string {
  if (causeOf(error, ConflictError)) {
    return "Another process is writing to this conversation; try again when it is done.";
  }
  return error.message;
}
