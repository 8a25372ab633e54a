import type { Mcp } from "@cogency/mcp";
import type { AutocompleteItem } from "@earendil-works/pi-tui";
import { oneLine } from "../../base/terminal/text.ts";

/** Suggestions that are made at once. */
const most = 50;

/** Milliseconds that a server may take for its proposals. */
const patience = 500;

/** The resources of servers that fit what was typed after `@`, such as `docs:` or a part of a name. */
export async function resourceItems(typed: string, mcp: Mcp | undefined): Promise<AutocompleteItem[]> {
  if (mcp === undefined || typed === "") return [];
  const wanted = typed.toLowerCase();
  const all = mcp.resources();
  const named = all.flatMap(({ server, uri, name, description }) => {
    if (uri === undefined) return [];
    const text = `${server}:${uri}`;
    const fits = text.toLowerCase().startsWith(wanted) || name.toLowerCase().includes(wanted);
    return fits ? [item(text, [name, description].filter(Boolean).join(" · "))] : [];
  });
  const templates = await Promise.all(
    all.map((resource) =>
      resource.template === undefined ? [] : fromTemplate(typed, resource.server, resource.template, mcp),
    ),
  );
  return [...named, ...templates.flat()].slice(0, most);
}

/** Proposals of the server for the variable of a template in which the typed text ends. */
async function fromTemplate(typed: string, server: string, template: string, mcp: Mcp): Promise<AutocompleteItem[]> {
  const [, before = "", argument, after = ""] = /^([^{]*)\{([\w.]+)\}([^{]*)$/.exec(`${server}:${template}`) ?? [];
  if (argument === undefined) return [];
  if (!typed.startsWith(before)) return before.startsWith(typed) ? [item(before, template)] : [];
  const value = typed.slice(before.length);
  const signal = AbortSignal.timeout(patience);
  const values = await mcp.complete(server, { template, argument, value }, { signal }).catch(() => []);
  return values.map((one) => item(before + one + after, template));
}

function item(text: string, description: string): AutocompleteItem {
  return {
    value: /[\s"']/.test(text) ? `@"${text}"` : `@${text}`,
    label: oneLine(text, 100),
    description: oneLine(description, 100),
  };
}
