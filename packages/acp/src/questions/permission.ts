import type { PermissionOption, ToolCallContent, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { QuestionPart } from "@cogency/protocol/parts";
import type { QuestionDetails } from "@cogency/server";
import { shownText } from "../out/content-blocks.ts";
import { visibleLine, visibleText } from "../out/visible-text.ts";

/** What a person may answer to a question for approval: yes, a rule that is kept beside the yes, or no. */
export function permissionOptions({ rules }: Pick<QuestionDetails, "rules">): PermissionOption[] {
  return [
    { optionId: "allow", name: "Allow", kind: "allow_once" },
    ...rules.map(
      ({ text, file }, at): PermissionOption => ({
        optionId: `rule-${at}`,
        name: visibleLine(`Always allow ${text} (kept in ${file})`, 500),
        kind: "allow_always",
      }),
    ),
    { optionId: "deny", name: "Deny", kind: "reject_once" },
  ];
}

/** The rule of an option; undefined for an option without one. */
export function ruleOf(optionId: string, { rules }: Pick<QuestionDetails, "rules">): string | undefined {
  const [, at] = /^rule-(\d+)$/.exec(optionId) ?? [];
  return at === undefined ? undefined : rules[Number(at)]?.text;
}

/** The call that is asked about, with why it is asked and what its arguments do not say. */
export function askedCall(
  part: QuestionPart,
  shown: ToolCallUpdate,
  { facts }: Pick<QuestionDetails, "facts">,
): ToolCallUpdate {
  const agents = part.agents?.length
    ? [`Asked by the agent ${part.agents.join(" → ")}: ${part.name} ${jsonOf(part.args)}`]
    : [];
  const texts = [
    ...agents,
    ...part.concerns.map(({ why }) => why),
    ...facts.map(({ name, lines }) => [`${name}:`, ...lines].join("\n")),
  ];
  const content: ToolCallContent[] = texts.map((text) => shownText(visibleText(text)));
  return { ...shown, status: "pending", content: [...(shown.content ?? []), ...content] };
}

function jsonOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value).slice(0, 2000);
}
