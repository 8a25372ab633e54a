import { Code } from "./value-text.ts";

/** Characters of the longest text that stands in the test itself. */
const longest = 400;

/** Moves long texts out of a test, into the file beside it. */
export class LongTexts {
  readonly texts: Record<string, string> = {};
  /** The definitions of the tools, where they stand there. */
  tools: readonly object[] | undefined;

  /** A copy of a value with code in place of its long texts. `name` says what the value is. */
  out(value: unknown, name: string): unknown {
    if (typeof value === "string") return value.length > longest ? this.#moved(value, name) : value;
    if (Array.isArray(value)) return value.map((item) => this.out(item, name));
    if (typeof value !== "object" || value === null || value instanceof Code) return value;
    const own = (value as { name?: unknown }).name;
    const here = typeof own === "string" ? own : name;
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, this.out(field, plain.has(key) ? name : `${here}_${key}`)]),
    );
  }

  #moved(text: string, name: string): Code {
    const known = Object.keys(this.texts).find((key) => this.texts[key] === text);
    const key = known ?? this.#freeName(name.replace(/[^A-Za-z0-9_]+/g, "_").replace(/^(?=\d)/, "_"));
    this.texts[key] = text;
    return new Code(`recorded.texts.${key}`);
  }

  #freeName(name: string): string {
    const short = name.slice(0, 60) || "text";
    for (let number = 1; ; number++) {
      const free = number === 1 ? short : `${short}_${number}`;
      if (!Object.hasOwn(this.texts, free)) return free;
    }
  }
}

/** Fields whose names say nothing beside that of the value they stand in. */
const plain: ReadonlySet<string> = new Set(["steps", "calls", "args", "parts", "attachments", "expected"]);
