import { ProviderError } from "@cogency/provider";
import { ConflictError } from "@cogency/storage";
import { causeOf } from "./cause-of.ts";

/** What an error says to somebody at the command line, who can do less about it than a program can. */
export function messageOf(error: Error): string {
  if (causeOf(error, ConflictError)) {
    return "Another process is writing to this conversation; try again when it is done.";
  }
  return causeOf(error, ProviderError) ? inOptions(error.message) : error.message;
}

/** A provider speaks of the options of its function; the command line has others, and no keys. */
function inOptions(message: string): string {
  return message
    .replaceAll(" or pass `apiKey`", "")
    .replaceAll("check `apiKey`", "check the key in the environment")
    .replaceAll("`model`", "--model")
    .replaceAll("`baseURL`", "--base-url")
    .replaceAll("`api`", "--api");
}
