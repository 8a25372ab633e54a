import { addNew, base64, demand, fieldsIn, listIn, matching, problemOf, textIn, type Validate } from "./problem.ts";

/**
 * Anthropic's Messages. The user begins and has the last word. Each `tool_use` has one `tool_result` at the beginning of the next
 * message, and no result is without one. Text is not blank. Thinking carries its signature, and is not the last block of a message.
 * While thinking has a budget, no tool may be forced, and a message whose calls were answered last begins with thinking. Without
 * thinking, such a message holds none.
 */
export const messagesProblem: Validate = (body) =>
  problemOf(() => {
    const { model, max_tokens, system, messages, tools, tool_choice, thinking } = fieldsIn(body, "the body");
    demand(textIn(model, "model") !== "", "model is empty.");
    demand(Number.isInteger(max_tokens) && Number(max_tokens) > 0, "max_tokens must be a whole number above 0.");
    if (system !== undefined) checkSystem(system);
    const names = tools === undefined ? undefined : toolNames(tools);
    const mode = thinking === undefined ? "own" : thinkingMode(fieldsIn(thinking, "thinking"), Number(max_tokens));
    if (tool_choice !== undefined) checkChoice(fieldsIn(tool_choice, "tool_choice"), names, mode === "enabled");
    checkMessages(listIn(messages, "messages"), mode);
    const marks = JSON.stringify(body).split('"cache_control":').length - 1;
    demand(marks <= 4, `There are ${marks} blocks with cache_control, more than 4.`);
  });

type Fields = Readonly<Record<string, unknown>>;

function checkSystem(system: unknown): void {
  const texts =
    typeof system === "string" ? [system] : listIn(system, "system").map((block) => fieldsIn(block, "system").text);
  for (const text of texts) checkText(text, "system");
}

function checkText(text: unknown, place: string): void {
  demand(textIn(text, place).trim() !== "", `${place}: text content blocks must contain non-whitespace text.`);
}

function toolNames(tools: unknown): Set<string> {
  const names = new Set<string>();
  for (const [at, tool] of listIn(tools, "tools").entries()) {
    const place = `tools[${at}]`;
    const { name, input_schema } = fieldsIn(tool, place);
    addNew(names, matching(name, toolName, `${place}.name`), place);
    demand(
      fieldsIn(input_schema, `${place}.input_schema`).type === "object",
      `${place}.input_schema.type is not "object".`,
    );
  }
  return names;
}

/** `own`: the model's own setting. */
type ThinkingMode = "own" | "enabled" | "adaptive" | "disabled";

function thinkingMode({ type, budget_tokens }: Fields, most: number): ThinkingMode {
  demand(type === "enabled" || type === "adaptive" || type === "disabled", `thinking.type is ${JSON.stringify(type)}.`);
  if (type !== "enabled") {
    demand(budget_tokens === undefined, `thinking.budget_tokens: extra inputs are not permitted beside ${type}.`);
    return type;
  }
  demand(Number(budget_tokens) >= 1024, "thinking.budget_tokens must be at least 1024.");
  demand(Number(budget_tokens) < most, "thinking.budget_tokens must be less than max_tokens.");
  return type;
}

function checkChoice({ type, name }: Fields, names: Set<string> | undefined, hasBudget: boolean): void {
  demand(names !== undefined, "tool_choice may only be specified while providing tools.");
  demand(["auto", "any", "tool", "none"].includes(String(type)), `tool_choice.type is ${JSON.stringify(type)}.`);
  demand(type !== "tool" || names.has(textIn(name, "tool_choice.name")), "tool_choice names no tool.");
  demand(
    !hasBudget || type === "auto" || type === "none",
    "Thinking may not be enabled when tool_choice forces tool use.",
  );
}

interface Message {
  role: unknown;
  blocks: readonly Fields[];
  place: string;
}

function checkMessages(messages: readonly unknown[], mode: ThinkingMode): void {
  const read = messages.map((message, at): Message => {
    const place = `messages[${at}]`;
    const { role, content } = fieldsIn(message, place);
    demand(role === "user" || role === "assistant", `${place}.role is ${JSON.stringify(role)}.`);
    const blocks =
      typeof content === "string" ? [{ type: "text", text: content }] : listIn(content, `${place}.content`);
    return { role, blocks: blocks.map((block) => fieldsIn(block, `${place}.content`)), place };
  });
  demand(read[0]?.role === "user", "messages: first message must use the user role.");
  demand(read.at(-1)?.role === "user", "The last message is the assistant's, which this model does not continue.");
  const ids = new Set<string>();
  let asked: readonly string[] = [];
  for (const [at, { role, blocks, place }] of read.entries()) {
    demand(role !== read[at - 1]?.role, `${place}: the roles must alternate.`);
    asked = role === "user" ? checkUser(blocks, asked, place) : checkAssistant(blocks, ids, place);
  }
  const last = read.findLast(({ role }) => role === "assistant");
  const isOpen = last?.blocks.some(({ type }) => type === "tool_use") && read.at(-1)?.blocks[0]?.type === "tool_result";
  if (!last || !isOpen) return;
  demand(
    mode !== "enabled" || isThinking(last.blocks[0]),
    `${last.place}: when thinking is enabled, a final assistant message must start with a thinking block.`,
  );
  demand(
    mode !== "disabled" || !last.blocks.some(isThinking),
    `${last.place}: when thinking is disabled, an assistant message in the final position cannot contain thinking.`,
  );
}

/** Returns the calls that the message leaves without an answer: none. */
function checkUser(blocks: readonly Fields[], asked: readonly string[], place: string): [] {
  const open = new Set(asked);
  for (const [nth, block] of blocks.entries()) {
    const there = `${place}.content[${nth}]`;
    if (block.type === "text") checkText(block.text, there);
    else if (block.type === "image" || block.type === "document") checkAttached(block, there);
    else {
      demand(block.type === "tool_result", `${there}.type is ${JSON.stringify(block.type)}.`);
      demand(nth === 0 || blocks[nth - 1]?.type === "tool_result", `${there}: tool_result blocks must come first.`);
      const id = textIn(block.tool_use_id, `${there}.tool_use_id`);
      demand(asked.includes(id), `${there}: unexpected tool_use_id ${id}: no tool_use block in the previous message.`);
      demand(open.delete(id), `${there}: each tool_use must have a single result, ${id} has several.`);
      checkResult(block.content, there);
    }
  }
  demand(open.size === 0, `${place}: tool_use ids were found without tool_result blocks: ${[...open].join(", ")}.`);
  return [];
}

function checkResult(content: unknown, place: string): void {
  if (content === undefined) return;
  if (typeof content === "string") textIn(content, place);
  else {
    for (const part of listIn(content, `${place}.content`)) {
      const block = fieldsIn(part, place);
      if (block.type === "image" || block.type === "document") checkAttached(block, place);
      else checkText(block.text, place);
    }
  }
}

function checkAttached({ source }: Fields, place: string): void {
  const { type, media_type, data, url } = fieldsIn(source, `${place}.source`);
  demand(["base64", "url", "text"].includes(String(type)), `${place}.source.type is ${JSON.stringify(type)}.`);
  if (type === "url") demand(textIn(url, `${place}.source.url`) !== "", `${place}.source.url is empty.`);
  else matching(media_type, /^\w+\/[\w.+-]+$/, `${place}.source.media_type`);
  if (type === "base64") matching(data, base64, `${place}.source.data`);
}

function checkAssistant(blocks: readonly Fields[], ids: Set<string>, place: string): string[] {
  const asked: string[] = [];
  for (const [nth, block] of blocks.entries()) {
    const there = `${place}.content[${nth}]`;
    switch (block.type) {
      case "text":
        checkText(block.text, there);
        break;
      case "tool_use": {
        const id = matching(block.id, /^[a-zA-Z0-9_-]+$/, `${there}.id`);
        addNew(ids, id, `${there}: tool_use ids must be unique`);
        asked.push(id);
        matching(block.name, toolName, `${there}.name`);
        fieldsIn(block.input, `${there}.input`);
        break;
      }
      case "thinking":
        textIn(block.thinking, `${there}.thinking`);
        demand(textIn(block.signature, `${there}.signature`) !== "", `${there}.signature is empty.`);
        break;
      case "redacted_thinking":
        demand(textIn(block.data, `${there}.data`) !== "", `${there}.data is empty.`);
        break;
      default:
        demand(false, `${there}.type is ${JSON.stringify(block.type)}.`);
    }
  }
  demand(!isThinking(blocks.at(-1)), `${place}: the final block in an assistant message cannot be thinking.`);
  return asked;
}

function isThinking(block: Fields | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

const toolName = /^[a-zA-Z0-9_-]{1,64}$/;
