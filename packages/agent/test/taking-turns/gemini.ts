import type { Json } from "@cogency/protocol";
import type { WireAnswer } from "../switching/wire-answers.ts";
import { addNew, demand, fieldsIn, listIn, matching, problemOf, textIn, type Validate } from "../validators/problem.ts";

/** The bytes in which Gemini streams an answer. Its first call is signed, or else the end of its text. */
export function geminiAnswer({ parts, nth }: WireAnswer): string {
  const signature = { thoughtSignature: `signed-${nth}` };
  const firstCall = parts.findIndex(({ type }) => type === "tool_call");
  const sent = parts.flatMap((part, at): { [field: string]: Json }[] => {
    switch (part.type) {
      case "text":
        return [{ text: part.text }];
      case "reasoning":
        return [{ text: part.text, thought: true }];
      case "tool_call": {
        const { name, arguments: args } = part;
        return [
          { functionCall: { id: `fc_${nth}_${at}`, name, args: JSON.parse(args) }, ...(at === firstCall && signature) },
        ];
      }
      default:
        return [];
    }
  });
  if (firstCall === -1) sent.push({ text: "", ...signature });
  const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 };
  const chunks = [
    ...sent.map((part) => ({ candidates: [{ index: 0, content: { role: "model", parts: [part] } }] })),
    { candidates: [{ index: 0, content: { role: "model", parts: [] }, finishReason: "STOP" }], usageMetadata },
  ];
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join("");
}

/**
 * The essential rules of Gemini's `contents`. The user begins and has the last word, and roles alternate. The calls of a model's
 * content are answered by the first parts of the next one, in their order, and no result is without a call. The first call of a
 * content is signed.
 */
export const geminiProblem: Validate = (body) =>
  problemOf(() => {
    const { contents, tools, systemInstruction } = fieldsIn(body, "the body");
    if (systemInstruction !== undefined) {
      for (const part of partsIn(systemInstruction, "systemInstruction"))
        textIn(part.text, "systemInstruction.parts.text");
    }
    if (tools !== undefined) checkTools(tools);
    let open: Fields[] = [];
    const list = listIn(contents, "contents").map((content, at) => fieldsIn(content, `contents[${at}]`));
    for (const [at, content] of list.entries()) {
      const place = `contents[${at}]`;
      const isOfUser = at % 2 === 0;
      demand(content.role === (isOfUser ? "user" : "model"), `${place}.role is ${JSON.stringify(content.role)}.`);
      const parts = partsIn(content, place);
      if (isOfUser) {
        checkResults(parts, open, place);
        open = [];
      } else open = callsIn(parts, place);
    }
    demand(list.at(-1)?.role === "user", "The last content leaves nothing to answer.");
  });

type Fields = Readonly<Record<string, unknown>>;

function partsIn(content: unknown, place: string): Fields[] {
  return listIn(fieldsIn(content, place).parts, `${place}.parts`).map((part) => fieldsIn(part, `${place}.parts`));
}

function checkTools(tools: unknown): void {
  const names = new Set<string>();
  for (const tool of listIn(tools, "tools")) {
    for (const declared of listIn(fieldsIn(tool, "tools").functionDeclarations, "functionDeclarations")) {
      const { name } = fieldsIn(declared, "functionDeclarations");
      addNew(names, matching(name, /^[a-zA-Z_][\w.:-]{0,63}$/, "functionDeclarations.name"), "functionDeclarations");
    }
  }
}

function callsIn(parts: readonly Fields[], place: string): Fields[] {
  const called = parts.filter((part) => part.functionCall !== undefined);
  demand(!called.length || typeof called[0]?.thoughtSignature === "string", `${place}: its first call is not signed.`);
  demand(
    parts.every((part) => part.functionResponse === undefined),
    `${place} is the model's and holds a result.`,
  );
  return called.map((part) => fieldsIn(part.functionCall, `${place}.functionCall`));
}

function checkResults(parts: readonly Fields[], calls: readonly Fields[], place: string): void {
  demand(
    parts.every((part) => part.functionCall === undefined),
    `${place} is the user's and holds a call.`,
  );
  const count = parts.filter((part) => part.functionResponse !== undefined).length;
  demand(count === calls.length, `${place} has ${count} results for ${calls.length} calls.`);
  for (const [nth, { id, name }] of calls.entries()) {
    const result = fieldsIn(parts[nth]?.functionResponse, `${place}.parts[${nth}].functionResponse`);
    demand(result.id === id && result.name === name, `${place}.parts[${nth}] does not answer the call ${String(id)}.`);
    fieldsIn(result.response, `${place}.parts[${nth}].functionResponse.response`);
  }
}
