import type { JsonObject } from "@cogency/protocol";
import type { AcpSession, CallDescription } from "../acp-options.ts";
import { absolutePath } from "../in/paths.ts";
import { visibleLine } from "./visible-text.ts";

/** What an editor shows of a call: as the host says, and otherwise by the names of its tool and its arguments. */
export function describeCall(
  { cwd, describe }: { cwd: string; describe: AcpSession["describeCall"] },
  name: string,
  args: JsonObject | undefined,
): CallDescription {
  const own = args && describe?.(name, args);
  const { title, kind = kinds.get(name) ?? "other", locations, diffs } = own ?? {};
  return {
    title: visibleLine(title ?? titleOf(name, args)) || "call",
    kind,
    locations: locations ?? locationsOf(cwd, kind, args),
    diffs: diffs ?? diffsOf(cwd, name, args),
  };
}

/** The tools of `@cogency/toolbox` and of the other packages. */
const kinds: ReadonlyMap<string, CallDescription["kind"]> = new Map([
  ["read", "read"],
  ["list", "read"],
  ["find", "search"],
  ["search", "search"],
  ["recall", "search"],
  ["write", "edit"],
  ["edit", "edit"],
  ["replace", "edit"],
  ["shell", "execute"],
  ["shell_output", "execute"],
  ["shell_stop", "execute"],
  ["scrape", "fetch"],
  ["plan", "think"],
  ["present_plan", "think"],
] as const);

/** The name and the first short text of the arguments: `read src/a.ts`. */
function titleOf(name: string, args: JsonObject = {}): string {
  const known = ["file", "command", "path", "query", "pattern", "url", "job"].map((key) => args[key]);
  const text = [...known, ...Object.values(args)].find((value) => typeof value === "string" && value !== "");
  return text === undefined ? name : `${name} ${text}`;
}

function locationsOf(cwd: string, kind: CallDescription["kind"], args: JsonObject = {}): CallDescription["locations"] {
  if (kind === "execute" || kind === "fetch") return [];
  const path = args.file ?? args.path;
  if (typeof path !== "string" || path === "") return [];
  const line = args.from;
  return [{ path: absolutePath(cwd, path), ...(typeof line === "number" && { line }) }];
}

function diffsOf(cwd: string, name: string, args: JsonObject = {}): CallDescription["diffs"] {
  const { file, content, edits } = args;
  if (typeof file !== "string") return [];
  const path = absolutePath(cwd, file);
  if (name === "write" && typeof content === "string") return [{ path, oldText: null, newText: content }];
  if (name !== "edit" || !Array.isArray(edits)) return [];
  return edits.flatMap((edit) => {
    const { old: oldText, new: newText } = (edit ?? {}) as JsonObject;
    return typeof oldText === "string" && typeof newText === "string" ? [{ path, oldText, newText }] : [];
  });
}
