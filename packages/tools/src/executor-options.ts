import type { Approval } from "./approval/approval.ts";
import type { KeyRing } from "./approval/key-ring.ts";
import type { HookChecks } from "./hooks/hook-contract.ts";
import type { ToolHook } from "./hooks/tool-hook.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";

export interface ExecutorOptions {
  registry: Registry;
  /** How many bodies of one batch may run at the same time; no limit when absent. */
  concurrency?: number | undefined;
  /** Milliseconds that a call may take unless its tool says otherwise; 120,000 when absent, `Infinity` for no limit. */
  timeout?: number | undefined;
  /** Who decides which calls run; without it all do that their own tools do not ask about and that are no echo. */
  approval?: Approval | undefined;
  /** Signs and verifies answers to questions for approval; that of this process when absent, see `processKeyRing`. */
  keyRing?: KeyRing | undefined;
  /** Steer calls on their way, by priority. */
  hooks?: readonly ToolHook[] | undefined;
  /**
   * What happens when a hook returns what its trigger does not admit: nothing (`"off"`, the default), observers are told
   * (`"report"`), or also the batch ends and `run` throws HookContractError (`"strict"`).
   */
  hookChecks?: HookChecks | undefined;
  /**
   * What becomes of keys that a schema does not know: they are refused, or taken out before anybody is asked about the
   * call. Default: `"reject"`.
   */
  unknownKeys?: "strip" | "reject" | undefined;
  /**
   * Bytes (UTF-8) that the model may see of one result, unless its tool says otherwise; the middle of a longer one is left
   * out. 65,536 when absent, `Infinity` for no limit.
   */
  maxResultBytes?: number | undefined;
  /** Run one after another and end at the first failure: `run` throws ToolError. Default: false. */
  throwOnToolFailure?: boolean | undefined;
  /** Run one after another and skip what comes after the first call that a hook blocks. Default: false. */
  stopOnToolBlock?: boolean | undefined;
  /**
   * In a parallel batch calls of tools with `readOnlyHint` begin when they are announced, until one that is not read-only
   * is. Off with the two flags above. Default: false.
   */
  earlyStart?: boolean | undefined;
  /** Told what happens, as it happens. What it throws is ignored. */
  observer?: Observer | undefined;
}
