/** A schema in JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type Schema = Readonly<Record<string, unknown>>;

export const string: Schema = { type: "string" };
const number: Schema = { type: "number" };
const integer: Schema = { type: "integer", minimum: 0 };

export function arrayOf(items: Schema): Schema {
  return { type: "array", items };
}

/** An object that has the required fields, and of the others only those that are listed. */
function objectOf(required: Readonly<Record<string, Schema>>, optional: Readonly<Record<string, Schema>> = {}): Schema {
  return {
    type: "object",
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

/** A schema of `components`, by its name. */
export function named(name: keyof typeof schemas): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

const seconds: Schema = { type: "number", description: "Unix time in seconds" };
const milliseconds: Schema = { type: "number", description: "Unix time in milliseconds" };
const id: Schema = {
  type: "string",
  pattern: "^[\\x21-\\x7e]{1,128}$",
  description: "chosen by the sender; the same message again under the same id is one message",
};

const attachment: Schema = objectOf(
  {
    kind: { enum: ["image", "file"] },
    mediaType: string,
    data: { oneOf: [{ type: "string", description: "base64" }, objectOf({ url: string })] },
  },
  { name: string },
);

const decision = (kind: "approve" | "deny", more: Readonly<Record<string, Schema>> = {}) =>
  objectOf({ id, kind: { const: kind }, question: string }, { reason: string, ...more });

const words = (kind: "prompt" | "steer") =>
  objectOf({ id, kind: { const: kind }, content: string }, { attachments: arrayOf(attachment) });

const summary = { conversation: string, title: string, events: integer, createdAt: seconds, updatedAt: seconds };

const place = { run: string, seq: { ...integer, description: "the last event of the log when the piece was sent" } };

/** The bodies of requests and responses, and the data of server-sent events. */
export const schemas = {
  Problem: objectOf({ code: string, message: string }),
  ConversationSummary: objectOf(summary, { user: string }),
  Conversation: objectOf({ ...summary, state: { enum: ["idle", "running", "waiting", "parked"] } }),
  ListChange: {
    description:
      "The first is the list of the 100 newest conversations, each later one what has changed in it. Latest: the highest updatedAt.",
    oneOf: [
      objectOf({ conversations: arrayOf({ $ref: "#/components/schemas/ConversationSummary" }) }),
      objectOf({ changed: arrayOf({ $ref: "#/components/schemas/ConversationSummary" }), removed: arrayOf(string) }),
    ],
  },
  Event: {
    description: "An event of the log. Its further fields depend on its type, and for a record on its kind.",
    type: "object",
    properties: {
      type: { enum: ["user", "think", "respond", "call", "result", "cancelled", "record"] },
      seq: { type: "integer", minimum: 1 },
      timestamp: seconds,
      kind: string,
    },
    required: ["type", "seq", "timestamp"],
  },
  Piece: {
    description: "A piece of what a run is writing. It is not stored; the stored event replaces it.",
    oneOf: [
      objectOf({ ...place, type: { enum: ["text", "thinking"] }, unit: integer, offset: integer, text: string }),
      objectOf(
        { ...place, type: { const: "args" }, unit: integer, offset: integer, text: string, call: string },
        { name: string },
      ),
      objectOf({ ...place, type: { const: "progress" }, call: string, update: {} }),
    ],
  },
  Message: {
    description: "What a person says to a conversation.",
    oneOf: [
      words("prompt"),
      words("steer"),
      decision("approve", { rule: string }),
      decision("deny"),
      objectOf({ id, kind: { const: "answer" }, question: string, content: {} }),
      objectOf({ id, kind: { const: "cancel" } }, { reason: string }),
    ],
  },
  WaitingMessage: {
    description: "A message that no run has read yet. Its further fields are those of the message.",
    type: "object",
    properties: { id: string, kind: string, from: string, postedAt: milliseconds },
    required: ["id", "kind", "postedAt"],
  },
  Question: objectOf(
    {
      id: string,
      call: string,
      name: string,
      asks: { enum: ["approval", "answer"] },
      concerns: arrayOf(objectOf({ kind: string, why: string })),
      touches: arrayOf(string),
    },
    { args: { type: "object" }, agents: arrayOf(string), message: string, schema: { type: "object" } },
  ),
  QuestionDetails: objectOf({
    facts: arrayOf(objectOf({ name: string, lines: arrayOf(string) })),
    rules: arrayOf(objectOf({ text: string, file: string })),
  }),
  Title: objectOf({ title: { type: "string", minLength: 1 } }),
  Renamed: objectOf({ conversation: string, title: string }),
  Posted: objectOf({ id: string }),
  Fork: objectOf({}, { at: number }),
  Forked: objectOf({ conversation: string }),
  Forks: objectOf({
    forks: arrayOf(
      objectOf({ conversation: string }, { title: string, updatedAt: seconds, from: string, at: integer }),
    ),
  }),
  Point: objectOf({ name: { type: "string", minLength: 1 }, at: integer }),
  Pointed: objectOf({ conversation: string, name: string, at: integer }),
} satisfies Record<string, Schema>;
