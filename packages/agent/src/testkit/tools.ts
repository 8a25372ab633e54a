import type { JsonObject } from "@cogency/protocol";
import { defineTool, type Tool } from "@cogency/tools";

/** A call whose body ran, with the arguments that it got. */
export interface RanCall {
  name: string;
  args: JsonObject;
}

/**
 * The tools of the kit: `look` returns a text, `walk` takes a number, `stumble` fails.
 *
 * @param ran gets each call whose body runs
 */
export function sampleTools(ran: RanCall[]): Tool[] {
  const tool = (name: string, properties: Record<string, { type: string }>, run: (args: JsonObject) => unknown) =>
    defineTool({
      name,
      description: `Use it to ${name}.`,
      input: { type: "object", properties, required: Object.keys(properties) },
      execute(args) {
        ran.push({ name, args: args as JsonObject });
        return run(args as JsonObject);
      },
    });
  return [
    tool("look", { at: { type: "string" } }, ({ at }) => `You see ${String(at)}.`),
    tool("walk", { steps: { type: "integer" } }, ({ steps }) => `You have walked ${String(steps)} steps.`),
    tool("stumble", {}, () => {
      throw new Error("There is a stone in the way.");
    }),
  ];
}

/** A call of a tool of the kit. */
export function look(at: string): { name: string; args: JsonObject } {
  return { name: "look", args: { at } };
}

export const walk = { name: "walk", args: { steps: 3 } };
export const stumble = { name: "stumble", args: {} };
