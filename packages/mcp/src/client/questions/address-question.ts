import type { JsonSchema } from "@cogency/protocol";
import { isPlain } from "./quoted.ts";

/**
 * The question whether a person has opened an address that a server names, or why nobody is asked. The address is `https`, or on this
 * machine, and holds no user name and no password.
 *
 * @param message quoted
 */
export function addressQuestion(
  server: string,
  message: string,
  given: unknown,
): { readonly message: string; readonly schema: JsonSchema } | { readonly problem: string } {
  const address = typeof given === "string" && given.length <= longestAddress && URL.canParse(given) && new URL(given);
  if (!address) return { problem: `its address is none, or has more than ${longestAddress} characters` };
  if (address.protocol !== "https:" && !(address.protocol === "http:" && isLoopback(address.hostname))) {
    return { problem: "its address is not https" };
  }
  if (address.username !== "" || address.password !== "")
    return { problem: "its address holds a user name or a password" };
  if (!isPlain(address.href)) return { problem: "its address holds characters that show nothing" };
  const lines = [
    `The server ${JSON.stringify(server)} asks you to open an address:`,
    message,
    `Host: ${address.host}\nAddress: ${address.href}`,
    "Nothing opens by itself. Open it only if you know the host, and expected this. Answer done once you have finished there, or decline.",
  ];
  return { message: lines.join("\n\n"), schema: { type: "string", enum: ["done", "decline"] } };
}

const longestAddress = 2000;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
