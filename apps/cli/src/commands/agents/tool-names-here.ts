import { toolNames } from "../../base/tool-names.ts";
import { type ExtensionOptions, openExtensions } from "../../work/extensions/open-extensions.ts";

/** Which modules bring tools, beside those of the app. */
export type AgentToolOptions = Pick<ExtensionOptions, "tool" | "extensions">;

/**
 * The tools that an agent may name here, those of extensions among them.
 *
 * @throws UsageError for a name that is neither a tool nor a package
 */
export async function toolNamesHere(options: AgentToolOptions): Promise<string[]> {
  const { tools } = await openExtensions({ ...options, root: "." });
  return [...toolNames, ...tools.map(({ name }) => name)];
}
