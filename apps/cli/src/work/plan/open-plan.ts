import { type PlanChoice, plan, planMode } from "@cogency/plan";
import { UsageError } from "../../base/errors/usage-error.ts";
import { agentTools } from "../../base/tool-names.ts";
import { keyModes, type Mode, modeOf, withMode } from "../../place/rules/mode.ts";
import { checkMode } from "../check-mode.ts";
import type { OpenPart } from "../open-part.ts";
import type { ToolOptions } from "../open-tools.ts";

/** The mode of a process. Without `setMode` it stays as it is. */
export interface ModeControl {
  mode(): Mode;
  /** @throws UsageError for a mode that cannot be used here */
  setMode?(mode: Mode): Promise<void>;
}

/** The plan that the model keeps, and the mode in which it plans. */
export function openPlan(
  options: ToolOptions,
  { mode, setMode }: ModeControl = { mode: () => modeOf(options) },
): OpenPart {
  const presenting = planMode({
    isOn: () => mode() === "plan",
    choices: () => choicesFor(options),
    delegating: agentTools,
    async onAccepted(choice) {
      const now = mode();
      const chosen = keyModes.find((name) => name === choice);
      // Whoever began the process so meant it for whatever comes.
      if (now === "read-only" || now === "deny") throw new UsageError(`The mode here is ${now}, and stays so.`);
      if (setMode === undefined || chosen === undefined)
        throw new UsageError(
          `This process cannot change its mode, which stays ${now}. Begin another one with --mode ${choice}.`,
        );
      await setMode(chosen);
    },
  });
  return { capabilities: options.tools?.includes("plan") === false ? [presenting] : [plan(), presenting] };
}

/** What a person may choose for the time after the plan, the most careful first. */
async function choicesFor(options: ToolOptions): Promise<readonly PlanChoice[]> {
  const canHold = await checkMode(withMode(options, "sandboxed")).then(
    () => true,
    () => false,
  );
  return canHold ? choices : choices.slice(0, 2);
}

const choices: readonly PlanChoice[] = [
  { name: "ask", meaning: "each change and each command asks" },
  { name: "edits", meaning: "changes of files in the root run without a question" },
  { name: "sandboxed", meaning: "commands that the sandbox holds run, too" },
];
