import type { LogEvent } from "@cogency/protocol";
import { askedFolder, askedTool } from "../../place/definitions/asked-definitions.ts";
import { type Doubt, type KnownDefinitions, knownDefinitions } from "../../place/definitions/known-definitions.ts";
import type { NamedTool } from "./server-call.ts";

/** What a question shows of the server of its tool. */
export interface AskedServer {
  /** Undefined where it is not known here. */
  readonly tool?: NamedTool | undefined;
  readonly place?: string | undefined;
  readonly doubt?: Doubt | undefined;
}

/** The definition that a question of a log is about, by its fingerprint; undefined for a tool that no server has defined. */
export function definitionIn(log: readonly LogEvent[], question: string): string | undefined {
  const record = log.find(
    (event) => event.type === "record" && event.kind === "question" && event.data?.id === question,
  );
  const hash = record?.type === "record" && record.kind === "question" ? record.data.definition : undefined;
  return typeof hash === "string" ? hash : undefined;
}

/**
 * What a process knows of the tool of a question that another one asks: which server has defined it, and whether the person knows it
 * in this definition. Where the definition is not kept here, the doubt says so.
 *
 * @param scope the folder that the conversation belongs to
 */
export function askedServer(
  { name, definition }: { readonly name: string; readonly definition?: string | undefined },
  scope: string | undefined,
  known: Pick<KnownDefinitions, "doubtAboutElsewhere"> = knownDefinitions(),
  folder = askedFolder(),
): AskedServer {
  if (definition === undefined) return {};
  const found = askedTool(definition, scope, folder);
  // A log may be edited: the definition of another tool says nothing of this one.
  if (found?.name !== name) return { doubt: { why: unknown, lines: [] } };
  const { definedBy, place } = found;
  const annotations = found.definition?.annotations;
  return { tool: { name, definedBy, annotations }, place, doubt: known.doubtAboutElsewhere(found) };
}

const unknown =
  "This is a tool of an MCP server. Which one, and whether its definition has changed, is not known here: it is kept where the run asks.";
