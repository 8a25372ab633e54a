import type { Tool } from "@cogency/tools";

/** The shell tools whose commands cannot leave the root by themselves. A copy of such a tool may do something else. */
const confined = new WeakSet<object>();

/** Notes a tool whose sandbox shows nothing of the user's but one folder, and has no network but the hosts that a call names. */
export function noteConfined(tool: Tool): void {
  confined.add(tool);
}

/** Whether commands of this very tool read and write below the root alone, and reach nothing but the hosts that a call names. */
export function isConfined(tool: Tool | undefined): boolean {
  return tool !== undefined && confined.has(tool);
}
