import { isKeywords } from "./keywords.ts";

/** The schema that a reference within the schema leads to; true, which admits anything, if it leads nowhere. */
export function resolved(reference: string, root: unknown): unknown {
  if (!reference.startsWith("#")) return true;
  const anchor = reference.slice(1);
  if (anchor !== "" && !anchor.startsWith("/")) return anchored(anchor, root) ?? true;
  let place: unknown = root;
  for (const part of anchor.split("/").slice(1)) {
    const name = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    const holder = place as { [name: string]: unknown };
    if (typeof place !== "object" || place === null || !Object.hasOwn(holder, name)) return true;
    place = holder[name];
  }
  return place;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Definitions are the only place in which an anchor is looked for. */
function anchored(anchor: string, root: unknown): unknown {
  if (!isKeywords(root)) return undefined;
  const definitions = [root.$defs, root.definitions].filter(isKeywords).flatMap((defs) => Object.values(defs));
  return definitions.find((schema) => isKeywords(schema) && schema.$anchor === anchor);
}
