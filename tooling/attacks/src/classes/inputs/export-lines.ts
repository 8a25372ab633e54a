export const event = (more: object) => ({ type: "user", content: "hello", timestamp: 1, seq: 1, ...more });
export const header = (more: object = {}) => ({
  type: "conversation",
  version: 1,
  conversation: "c",
  events: 1,
  ...more,
});
export const record = (kind: string, data: unknown = {}) => event({ type: "record", kind, data, content: undefined });

export const file = (...lines: readonly (object | string)[]) =>
  lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
