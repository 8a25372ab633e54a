/** Writes a path the way a model writes it in code: `items[2].name`, `headers["content-type"]`; empty for the whole. */
export function issuePath(keys: readonly PropertyKey[]): string {
  return keys.map(segment).join("").replace(/^\./, "");
}

function segment(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
