import { type Mode, type ModeChoice, modeOf, withMode } from "../../place/rules/mode.ts";
import { checkMode } from "../check-mode.ts";
import type { ToolOptions } from "../open-tools.ts";
import type { ModeControl } from "./open-plan.ts";

/** The mode of a process that works on one conversation: it begins as the options say. */
export function changingMode(
  options: ModeChoice & ToolOptions,
): Required<ModeControl> & { choice: () => ModeChoice & ToolOptions } {
  let choice = options;
  return {
    choice: () => choice,
    mode: () => modeOf(choice),
    async setMode(mode: Mode) {
      // Whoever denies what would ask denies it in every mode.
      const changed = { ...withMode(options, mode), ...(options.deny && { deny: true as const }) };
      await checkMode(changed);
      choice = changed;
    },
  };
}
