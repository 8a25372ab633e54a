import { Problem } from "../problem.ts";

/**
 * Reads the name of a conversation in an address.
 *
 * @throws Problem `invalid_request`
 */
export function checkedName(encoded: string): string {
  const name = decoded(encoded);
  if (name === undefined || name.length > longest || /\p{Cc}/u.test(name)) {
    throw new Problem(
      "invalid_request",
      `The name of a conversation has 1 to ${longest} characters in UTF-8, none of them a control character.`,
    );
  }
  return name;
}

const longest = 512;

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
