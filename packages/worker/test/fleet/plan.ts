/** What a conversation of the fleet is asked for, and what the model writes for it. */

export function promptOf(steps: number): string {
  return `Take ${steps} steps.`;
}

/** What the model writes for these messages, of which it reads the last prompt and the results since. */
export function answerOf(messages: readonly string[]): string {
  const begun = messages.findLastIndex((text) => /^Take \d+ steps\.$/.test(text));
  const steps = Number(messages[begun]?.match(/\d+/)?.[0] ?? 0);
  const taken = messages.slice(begun + 1).filter((text) => text.startsWith("<results>")).length;
  if (taken >= steps) return farewellOf(steps);
  const step = taken + 1;
  return `Step ${step}.<execute>${JSON.stringify([{ name: "charge", args: { step } }])}</execute>`;
}

export function farewellOf(steps: number): string {
  return `Done after ${steps} steps.`;
}
