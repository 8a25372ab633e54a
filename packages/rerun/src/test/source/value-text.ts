/** TypeScript code in place of a value. */
export class Code {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Characters of a line. */
const width = 110;

/** Writes a value as a person writes it in TypeScript: on one line where there is room for it. `undefined` fields are left out. */
export function valueText(value: unknown, indent = "", before = 0): string {
  const line = lineOf(value);
  if (indent.length + before + line.length <= width || !isNested(value)) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${inner}${valueText(item, inner, 1)},\n`).join("")}${indent}]`;
  }
  const fields = fieldsOf(value as object).map(([name, field]) => {
    const key = `${keyText(name)}: `;
    return `${inner}${key}${valueText(field, inner, key.length + 1)},\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

function lineOf(value: unknown): string {
  if (value instanceof Code) return value.text;
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(lineOf).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  const fields = fieldsOf(value).map(([name, field]) => `${keyText(name)}: ${lineOf(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}

function isNested(value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Code) return false;
  return Array.isArray(value) ? value.length > 0 : fieldsOf(value).length > 0;
}

function fieldsOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, field]) => field !== undefined);
}

function keyText(name: string): string {
  // In an object literal `__proto__: x` is no property.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringText(name);
}

/** A string literal in which every character that a reader cannot see is escaped. */
export function stringText(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\u009f\u00ad]|(?! )[\p{Zs}\p{Zl}\p{Zp}\p{Cf}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
