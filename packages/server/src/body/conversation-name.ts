import { Problem } from "../problem.ts";

/**
 * Reads the name of a conversation in an address.
 *
 * @throws Problem `invalid_request`
 */
export function conversationNamed(encoded: string): string {
  return checkedName(decoded(encoded));
}

/** @throws Problem `invalid_request` for a name that no conversation can have */
export function checkedName(name: string | undefined): string {
  if (typeof name === "string" && name !== "" && name.length <= longest && !/\p{Cc}/u.test(name)) return name;
  throw new Problem(
    "invalid_request",
    `The name of a conversation has 1 to ${longest} characters in UTF-8, none of them a control character.`,
  );
}

const longest = 512;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
