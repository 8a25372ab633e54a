/** The path to a string in a JSON text: names of properties and indexes of arrays, such as `["items", 0, "name"]`. */
export type Path = readonly (string | number)[];

/**
 * Replaces the strings of a JSON text by what `rewrite` returns. All other bytes stay: white space, the form of
 * numbers, and the names of properties, which are not passed to `rewrite`. The text must be valid JSON.
 */
export function rewriteStrings(json: string, rewrite: (text: string, path: Path) => string): string {
  const structure = /["{}[\],:]/g;
  const path: (string | number)[] = [];
  /** Whether the next string is the name of a property. */
  let isName = false;
  let rewritten = "";
  let copied = 0;
  for (let found = structure.exec(json); found; found = structure.exec(json)) {
    const { index } = found;
    switch (found[0]) {
      case "{":
        path.push("");
        isName = true;
        break;
      case "[":
        path.push(0);
        break;
      case "}":
      case "]":
        path.pop();
        isName = false;
        break;
      case ",": {
        const last = path.at(-1);
        if (typeof last === "number") path[path.length - 1] = last + 1;
        else isName = true;
        break;
      }
      case ":":
        isName = false;
        break;
      default: {
        const end = endOfString(json, index);
        structure.lastIndex = end;
        const text = JSON.parse(json.slice(index, end)) as string;
        if (isName) {
          path[path.length - 1] = text;
          break;
        }
        const changed = rewrite(text, path);
        if (changed === text) break;
        rewritten += json.slice(copied, index) + JSON.stringify(changed);
        copied = end;
      }
    }
  }
  return copied === 0 ? json : rewritten + json.slice(copied);
}

/** The index after the closing quote of the string that opens at `start`. An even number of backslashes precedes it. */
function endOfString(json: string, start: number): number {
  let quote = start;
  for (let backslashes = 1; backslashes % 2 === 1; ) {
    quote = json.indexOf('"', quote + 1);
    if (quote < 0) return json.length;
    backslashes = 0;
    while (json[quote - 1 - backslashes] === "\\") backslashes++;
  }
  return quote + 1;
}

/**
 * Returns a function that names the strings of a JSON text; it must be called for each string, in order. The name is
 * that of the property or array that holds the string, of the option before it, as in `["--password", "x"]`, or the
 * name beside it, as in `{"name": "API_KEY", "value": "x"}`.
 */
export function namesOfValues(): (text: string, path: Path) => string | undefined {
  let before = { text: "", path: "" };
  return (text, path) => {
    const last = path.at(-1);
    const siblingPath = (part: unknown) => JSON.stringify([...path.slice(0, -1), part]);
    const isNamed =
      typeof last === "number"
        ? /^--?[a-z]/i.test(before.text) && before.path === siblingPath(last - 1)
        : last === "value" && [siblingPath("name"), siblingPath("key")].includes(before.path);
    const name = isNamed ? before.text.replace(/^-+/, "") : path.findLast((part) => typeof part === "string");
    before = { text, path: JSON.stringify(path) };
    return name;
  };
}
