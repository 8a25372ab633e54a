import type { Json } from "@cogency/protocol";
import { createJsonMeter } from "./json-size.ts";

/** Bounds the recursion of all code that reads the value later, and detects cycles. */
const maxDepth = 1_000;

/**
 * Returns a deep copy of a value as JSON: strings are made well-formed (protocol.md P13), `undefined` properties are
 * left out. Calls `refuse` for every other value that JSON would silently drop or change, and for one of more than `maxStoredBytes`.
 *
 * @param refuse throws; its `problem` names the path to the value, such as `data.list[0] is NaN, which JSON cannot
 * hold.`
 */
export function copyJson(value: unknown, refuse: (problem: string) => never): Json {
  const path: (string | number)[] = [];
  const count = createJsonMeter(refuse);
  return copy(value);

  function copy(value: unknown): Json {
    if (typeof value === "string") return copyText(value);
    // A comma, at least.
    count(" ");
    if (value === null || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object") refuse(`${pathText(path)} is ${describe(value)}, which JSON cannot hold.`);
    if (path.length >= maxDepth) refuse(`it nests deeper than ${maxDepth} levels, or contains itself.`);
    if (Array.isArray(value)) return Array.from(value, (item, index) => copyAt(index, item));
    if (!isPlain(value)) refuse(`${pathText(path)} is ${describe(value)}, which JSON cannot hold.`);
    return copyObject(value as Record<string, unknown>);
  }

  function copyText(text: string): string {
    count(text);
    return text.toWellFormed();
  }

  /** Uses no arrays and no closures: an append of a hundred events spends most of its time here. */
  function copyObject(value: Record<string, unknown>): Json {
    const copied: { [key: string]: Json } = {};
    for (const key of Object.keys(value)) {
      const item = value[key];
      if (item === undefined) continue;
      // Assigning to this key would replace the prototype of the object.
      if (key === "__proto__") Object.defineProperty(copied, key, { ...property, value: copyAt(key, item) });
      else copied[copyText(key)] = typeof item === "string" ? copyText(item) : copyAt(key, item);
    }
    return copied;
  }

  function copyAt(key: string | number, item: unknown): Json {
    path.push(key);
    const copied = copy(item);
    path.pop();
    return copied;
  }
}

const property = { enumerable: true, configurable: true, writable: true };

/** An object literal, also of another realm: its prototype is null or an `Object.prototype`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null) return `a ${value.constructor?.name || "object of a class"}`;
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}

function pathText(path: readonly (string | number)[]): string {
  if (path.length === 0) return "it";
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : `${index > 0 ? "." : ""}${key}`)).join("");
}
