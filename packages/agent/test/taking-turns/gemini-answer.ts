import type { Json } from "@cogency/protocol";
import type { WireAnswer } from "../switching/wire-answers.ts";

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
