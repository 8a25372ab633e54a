import type { Section } from "./asked.ts";

interface Body {
  readonly system?: readonly Block[];
  readonly tools?: readonly (Marked & Record<string, unknown>)[];
  readonly messages: readonly { readonly role: "user" | "assistant"; readonly content: string | readonly Block[] }[];
}

interface Marked {
  readonly cache_control?: object;
}

type Block = Marked &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "thinking"; readonly thinking: string }
    | { readonly type: "tool_use"; readonly name: string; readonly input: object }
    | { readonly type: "tool_result"; readonly content?: string }
  );

/** What a model reads of a Messages request, a section for each block: tools, system text, messages. Not ids and roles. */
export function messagesSections(body: unknown): Section[] {
  const { system = [], tools = [], messages } = body as Body;
  return [
    ...tools.map(
      ({ cache_control: mark, ...tool }): Section => ({
        kind: "tool",
        text: JSON.stringify(tool),
        isMarked: mark !== undefined,
      }),
    ),
    ...system.map((block) => ({ ...sectionOf(block, "system"), kind: "system" as const })),
    ...messages.flatMap(({ role, content }) =>
      typeof content === "string" ? [{ kind: role, text: content }] : content.map((block) => sectionOf(block, role)),
    ),
  ];
}

function sectionOf(block: Block, role: "system" | "user" | "assistant"): Section {
  const isMarked = block.cache_control !== undefined;
  switch (block.type) {
    case "text":
      return { kind: role, text: block.text, isMarked };
    case "thinking":
      return { kind: role, text: block.thinking, isMarked };
    case "tool_use":
      return { kind: "call", text: JSON.stringify({ name: block.name, input: block.input }), isMarked };
    case "tool_result":
      return { kind: "result", text: block.content ?? "", isMarked };
  }
}
