import type { Approval } from "./approval/approval.ts";
import type { KeyRing } from "./approval/key-ring.ts";
import type { ToolHook } from "./hooks/tool-hook.ts";
import type { Observer } from "./observer.ts";
import type { Registry } from "./registry.ts";
import type { AttachmentLimits } from "./result/checked-attachments.ts";

/** Milliseconds that a call may take unless its tool or its executor sets a limit. */
export const defaultToolTimeout = 120_000;

export interface ExecutorOptions {
  /** The tools. */
  registry: Registry;
  /** Bodies of one batch that may run at the same time. Defaults to no limit. */
  concurrency?: number | undefined;
  /** Milliseconds that a call may take unless its tool sets a limit; `Infinity` for no limit. Defaults to `defaultToolTimeout`, two minutes. */
  timeout?: number | undefined;
  /** Decides which calls run. Without it a call runs unless its tool's own `approval` or a concern asks. */
  approval?: Approval | undefined;
  /** Signs and verifies answers to questions for approval. Defaults to the ring of this process, see `processKeyRing`. */
  keyRing?: KeyRing | undefined;
  /** Called before and after each call, by priority. What their trigger does not admit ends the batch. */
  hooks?: readonly ToolHook[] | undefined;
  /**
   * UTF-8 bytes of one result that the model may see, unless its tool sets a limit; `Infinity` for no limit. The middle of
   * a longer result is left out. Defaults to 65,536.
   */
  maxResultBytes?: number | undefined;
  /** What attachments of results may be. */
  attachments?: AttachmentLimits | undefined;
  /** Calls run one after another, and the first failure ends the batch: `run` throws ToolError. Defaults to false. */
  throwOnToolFailure?: boolean | undefined;
  /** Calls run one after another, and calls after the first one that a hook blocks are skipped. Defaults to false. */
  stopOnToolBlock?: boolean | undefined;
  /**
   * In a parallel batch, calls of tools with `readOnlyHint` begin when they are added, up to the first call of another tool.
   * Ignored with either of the two flags above. Defaults to false.
   */
  earlyStart?: boolean | undefined;
  /** Called with each event of a call as it happens. Errors that it throws are ignored. */
  observer?: Observer | undefined;
}
