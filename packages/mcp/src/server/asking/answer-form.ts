import type { Json, JsonObject, JsonSchema } from "@cogency/protocol";
import type { InputAsked } from "./client-inputs.ts";
import { shownText } from "./shown-text.ts";

/**
 * A question as a form that clients can show. Forms are flat objects: another answer is one field, `answer`, and what no field can hold
 * is written there as JSON.
 */
export function answerForm(
  message: string,
  schema: JsonSchema | undefined,
): InputAsked<{ readonly content: Json } | { readonly declined: "decline" | "cancel" }> {
  const { requestedSchema, contentOf } = formOf(schema);
  return {
    method: "elicitation/create",
    params: { mode: "form", message: shownText(message), requestedSchema },
    isBinding: true,
    read(answer) {
      const { action, content } = (answer ?? {}) as { action?: unknown; content?: unknown };
      if (action === "decline" || action === "cancel") return { value: { declined: action } };
      if (action !== "accept") return { problem: "`action` is neither accept nor decline nor cancel." };
      if (typeof content !== "object" || content === null || Array.isArray(content)) {
        return { problem: "`content` is not an object." };
      }
      return contentOf(content as JsonObject);
    },
  };
}

interface Form {
  readonly requestedSchema: JsonObject;
  contentOf(content: JsonObject): { value: { content: Json } } | { problem: string };
}

function formOf(schema: JsonSchema | undefined): Form {
  if (schema && isFlat(schema)) {
    const { type, properties = {}, required = [] } = schema as { type?: Json; properties?: Json; required?: Json };
    return {
      requestedSchema: { type: type ?? "object", properties, required },
      contentOf: (content) => ({ value: { content } }),
    };
  }
  const whole = (answer: JsonObject): JsonObject => ({ type: "object", properties: { answer }, required: ["answer"] });
  if (schema === undefined || isField(schema)) {
    const field = { title: "Answer", ...(schema ?? { type: "string" }) } as JsonObject;
    return {
      requestedSchema: whole(field),
      contentOf: ({ answer }) =>
        answer === undefined ? { problem: "`answer` is missing." } : { value: { content: answer } },
    };
  }
  const description = `JSON that fits ${JSON.stringify(schema)}`;
  return {
    requestedSchema: whole({ type: "string", title: "Answer", description }),
    contentOf({ answer }) {
      try {
        return { value: { content: JSON.parse(String(answer)) } };
      } catch {
        return { problem: "`answer` is not JSON." };
      }
    },
  };
}

function isFlat(schema: JsonSchema): boolean {
  const { type, properties } = schema as { type?: unknown; properties?: unknown };
  return (
    type === "object" &&
    typeof properties === "object" &&
    properties !== null &&
    Object.values(properties).every((one) => isField(one as JsonSchema))
  );
}

/** Whether clients can show a field of this schema: a text, a number, a flag, a choice, or a list of choices. */
function isField(schema: JsonSchema): boolean {
  const { type, items } = schema as { type?: unknown; items?: { enum?: unknown; anyOf?: unknown } };
  if (type === "array") return Array.isArray(items?.enum) || Array.isArray(items?.anyOf);
  return type === "string" || type === "number" || type === "integer" || type === "boolean";
}
