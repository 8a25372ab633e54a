import { isPromise } from "@cogency/async";
import type { LoggedCall } from "../logged-call.ts";
import { argumentsIssue } from "../schema/hostile-arguments.ts";
import type { Content, Tool } from "../tool.ts";
import type { Approval, ApprovalDecision, Concern } from "./approval.ts";
import type { EchoDetector } from "./echoed-call.ts";
import { reachOf } from "./self-description.ts";

/** A checked call, as the judge sees it. */
export interface JudgedCall {
  /** As it will run. */
  readonly call: LoggedCall;
  /** As the model wrote it. */
  readonly requested: LoggedCall;
  readonly tool: Tool;
  /** The arguments as the schema returned them. */
  readonly args: unknown;
  /** The cautions of the tool about the call. */
  readonly cautions: readonly string[];
  /** Why hooks want a person to be asked. */
  readonly asks?: readonly string[];
  readonly claim: { readonly keys: readonly string[] };
}

interface Surroundings {
  content: readonly Content[] | undefined;
  /** Whether content is a concern. */
  policy: Approval["content"];
  /** Finds the text of a call that somebody may have planted. */
  echoOf: EchoDetector;
  isRedefined: ((tool: Tool) => boolean) | undefined;
}

/**
 * The concerns about a call that the policy does not deny. `allow_anyway` overrides all of them except an echo, a tool that has
 * changed and the wish of a hook: the author of the rule did not know what a page or a server would say, and hooks stand above rules.
 */
export function concernsAbout(
  judged: JudgedCall,
  decision: ApprovalDecision,
  around: Surroundings,
): Concern[] | Promise<Concern[]> {
  const { call, requested, tool } = judged;
  // A hook may have rewritten a planted call, so the call as the model wrote it is searched too. Arguments that cannot be
  // written as JSON stand in no text.
  const isAnother = requested !== call && !argumentsIssue(requested.args);
  const echo = around.echoOf(isAnother ? [call, requested] : [call], tool);
  const concernsWith = (source: string | undefined): Concern[] => {
    const concerns: Concern[] = [];
    if (source !== undefined) concerns.push(echoConcern(source));
    if (around.isRedefined?.(tool)) concerns.push(redefined(tool.name));
    for (const why of judged.asks ?? []) concerns.push({ kind: "caution", why });
    if (decision === "allow_anyway") return concerns;
    if (around.policy === "ask") addContent(concerns, judged, around);
    for (const why of judged.cautions) concerns.push({ kind: "caution", why });
    return concerns;
  };
  return isPromise(echo) ? echo.then(concernsWith) : concernsWith(echo);
}

function echoConcern(source: string): Concern {
  return { kind: "echo", why: `Its text stands in ${named(source)}, where somebody may have planted it.` };
}

function addContent(concerns: Concern[], { tool, args }: JudgedCall, { content = [] }: Surroundings): void {
  const untrusted = first(content, "untrusted");
  if (untrusted && tool.annotations.readOnlyHint !== true && tool.approval !== "allow") {
    const why = `The conversation holds text from ${untrusted}, which nobody vouched for, and ${tool.name} changes things.`;
    concerns.push({ kind: "untrusted", why });
  }
  const confidential = first(content, "private");
  if (!confidential) return;
  const { reachesOut, failure = `this call of ${tool.name} reaches outside` } = reachOf(tool, args);
  if (!reachesOut) return;
  const why = `The conversation holds private content from ${confidential}, and ${failure}.`;
  concerns.push({ kind: "private", why });
}

function redefined(name: string): Concern {
  return {
    kind: "changed",
    why: `The tool ${name} has changed since this call was written: the model knew another definition.`,
  };
}

/** The first source of a kind of content, in one line. */
function first(content: readonly Content[], holds: Content["holds"]): string | undefined {
  const found = content.find((one) => one?.holds === holds);
  return found && named(found.source);
}

/** A source in one line: it may be a URL that a stranger wrote. */
function named(source: unknown): string {
  if (typeof source !== "string") return "an unknown source";
  const line = source.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "") return "an unknown source";
  return line.length > longest ? `${line.slice(0, longest)}…`.toWellFormed() : line.toWellFormed();
}

const longest = 300;
