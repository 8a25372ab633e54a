import type { Root } from "@cogency/toolbox";
import { shellIsolation } from "@cogency/toolbox/shell";
import type { RuleSurroundings } from "../place/rules/allow-rules.ts";
import type { ToolOptions } from "./open-tools.ts";

interface Named {
  readonly name: string;
}

/**
 * What the meaning of rules depends on.
 *
 * @param others tools that are not the app's own, and servers
 */
export async function surroundingsOf(
  root: Root,
  { sandbox, network = [] }: Pick<ToolOptions, "sandbox" | "network">,
  others: { readonly tools: readonly Named[]; readonly servers: readonly Named[] },
): Promise<RuleSurroundings> {
  const { isolated } = await shellIsolation(root, { sandbox });
  const hosts = network.filter((host) => host !== "full");
  const names = (named: readonly Named[]) => named.map(({ name }) => name);
  return { base: root.base, isolated, hosts, tools: names(others.tools), servers: names(others.servers) };
}
