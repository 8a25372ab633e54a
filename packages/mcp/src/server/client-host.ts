import type { Attachment, Json, JsonObject } from "@cogency/protocol";
import type { ToolInput } from "@cogency/tools";
import { answerSchema, type InferAnswer } from "@cogency/tools/host";
import { answerForm } from "./asking/answer-form.ts";
import type { ClientInputs, InputAsked, Reading } from "./asking/client-inputs.ts";
import {
  asCallHost,
  type McpCallHost,
  McpHostError,
  type McpLogLevel,
  type McpSampled,
  type McpSampling,
} from "./call-host.ts";

/** What is known of the client of one request. */
export type ClientKnown = Pick<McpCallHost, "revision" | "client" | "user" | "scopes">;

/** How the client of one request is told something. */
export interface ClientTold {
  log(level: McpLogLevel, data: Json, logger: string | undefined): Promise<void>;
  releaseStream(): void;
}

/** Makes the host of one request. */
export function clientHost(
  told: ClientTold,
  known: ClientKnown,
  inputs: ClientInputs,
  signal: AbortSignal,
): McpCallHost {
  const need = (ability: keyof typeof needs) => {
    if (inputs.can[ability]) return;
    const [what, capability] = needs[ability];
    throw new McpHostError("not_offered", `The client cannot ${what}: it does not offer ${capability}.`, {
      [capability]: {},
    });
  };

  const host: McpCallHost = {
    ...known,
    can: inputs.can,
    signal,
    log(level, data, logger) {
      // A client that has gone is not told anything.
      told.log(level, data, logger).catch(() => {});
    },
    async elicit<const Schema extends ToolInput>(
      key: string,
      { message, schema }: { message: string; schema: Schema },
    ) {
      need("elicit");
      return inputs.request(key, elicitation<Schema>(message, schema));
    },
    async sample(key, request) {
      need("sample");
      return inputs.request(key, sampling(request));
    },
    async roots(key = "roots") {
      need("roots");
      return inputs.request(key, { method: "roots/list", params: {}, isBinding: false, read: readRoots });
    },
    releaseStream: () => told.releaseStream(),
  };
  return asCallHost(host, inputs);
}

const needs = {
  elicit: ["ask a person", "elicitation"],
  sample: ["ask its model", "sampling"],
  roots: ["tell its folders", "roots"],
} as const;

function elicitation<Schema extends ToolInput>(
  message: string,
  schema: Schema,
): InputAsked<InferAnswer<Schema> | undefined> {
  const wanted = answerSchema(schema);
  const { read, ...form } = answerForm(message, wanted.json);
  return {
    ...form,
    isBinding: false,
    async read(answer) {
      const reading = await read(answer);
      if ("problem" in reading) return reading;
      if ("declined" in reading.value) return { value: undefined };
      const fitting = await wanted.read(reading.value.content);
      return "problem" in fitting ? fitting : { value: fitting.value as InferAnswer<Schema> };
    },
  };
}

function sampling({ messages, maxTokens, system, temperature }: McpSampling): InputAsked<McpSampled> {
  const params: JsonObject = {
    messages: messages.map(({ role, text }) => ({ role, content: { type: "text", text } })),
    maxTokens,
    ...(system !== undefined && { systemPrompt: system }),
    ...(temperature !== undefined && { temperature }),
  };
  return { method: "sampling/createMessage", params, isBinding: false, read: readSampled };
}

interface Sampled {
  content?: unknown;
  model?: unknown;
  stopReason?: unknown;
}

function readSampled(answer: unknown): Reading<McpSampled> {
  const { content, model, stopReason } = (answer ?? {}) as Sampled;
  const blocks = (Array.isArray(content) ? content : [content]) as readonly Record<string, unknown>[];
  if (!blocks.every((block) => typeof block?.type === "string"))
    return { problem: "`content` is not a content block." };
  const texts = blocks.map(({ type, text }) => (type === "text" && typeof text === "string" ? text : ""));
  return {
    value: {
      text: texts.join(""),
      attachments: blocks.flatMap(attachmentOf),
      model: typeof model === "string" ? model : "unknown",
      stopReason: typeof stopReason === "string" ? stopReason : undefined,
    },
  };
}

function attachmentOf({ type, data, mimeType }: Record<string, unknown>): Attachment[] {
  if (typeof data !== "string" || typeof mimeType !== "string") return [];
  return [{ kind: type === "image" ? "image" : "file", mediaType: mimeType, data }];
}

function readRoots(answer: unknown): Reading<{ uri: string; name?: string }[]> {
  const { roots } = (answer ?? {}) as { roots?: unknown };
  if (!Array.isArray(roots) || !roots.every((root) => typeof root?.uri === "string")) {
    return { problem: "`roots` is not a list of addresses." };
  }
  const named = ({ uri, name }: { uri: string; name?: unknown }) => ({
    uri,
    ...(typeof name === "string" && { name }),
  });
  return { value: roots.map(named) };
}
