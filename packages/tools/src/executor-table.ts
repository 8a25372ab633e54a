import {
  above,
  atLeast,
  callback,
  either,
  flag,
  group,
  having,
  listOf,
  type OptionKind,
  type OptionTable,
  oneOf,
  recordOf,
  whole,
} from "@cogency/protocol/options";
import type { Approval, ApprovalRules } from "./approval/approval.ts";
import type { ExecutorOptions } from "./executor-options.ts";
import { hooksOf } from "./hooks/hooks-of.ts";
import type { AttachmentLimits } from "./result/checked-attachments.ts";
import type { ToolAnnotations } from "./tool.ts";

/** What each option of an executor must be: for `checkOptions` of `@cogency/protocol/options`, also by those who pass options on. */
export const executorTable: OptionTable<ExecutorOptions> = /* @__PURE__ */ table();

/** Made by one call, which a bundler leaves out where nobody uses the table. */
function table(): OptionTable<ExecutorOptions> {
  const decision = oneOf("allow", "allow_anyway", "ask", "deny");

  /** The rules of an approval policy. */
  const rules = group<ApprovalRules>({
    tools: recordOf(either(decision, callback)),
    annotations: group<ToolAnnotations>({
      readOnlyHint: decision,
      destructiveHint: decision,
      idempotentHint: decision,
      openWorldHint: decision,
    }),
    otherwise: decision,
  });

  /** Decides which calls run. */
  const approval: OptionKind = group<Approval>({
    policy: either(callback, rules),
    approve: callback,
    answered: callback,
    timeout: above(0, "milliseconds"),
    content: oneOf("ask", "allow"),
  });

  /** Bytes. A smaller limit has no room for the note that says what is left out. */
  const smallestResult = 512;

  /** The names by which hooks around calls are called. */
  const toolPoints = ["beforeToolUse", "afterToolUse"] as const;

  const keyRing: OptionKind = having("a key ring of createKeyRing([secret])", "sign", "verify");

  return {
    registry: {
      ...having("what createRegistry makes", "has", "get", "names", "specs"),
      isRequired: true,
    },
    concurrency: whole(1),
    timeout: above(0, "milliseconds"),
    approval,
    keyRing,
    hooks: hooksOf(toolPoints),
    maxResultBytes: atLeast(smallestResult, "a number of bytes"),
    attachments: group<AttachmentLimits>({
      maxBytes: whole(1),
      kinds: listOf(oneOf("image", "file"), "an array of kinds"),
    }),
    throwOnToolFailure: flag,
    stopOnToolBlock: flag,
    earlyStart: flag,
    observer: callback,
  };
}
