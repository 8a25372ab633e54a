import { posix } from "node:path";
import ts from "typescript";
import type { PackageRules } from "../packages.ts";
import { importsOf } from "./imports.ts";

/**
 * Finds where a source file imports a room that its own may not. Returns one line each, with its place.
 *
 * @param path relative to `src/`, with forward slashes
 */
export function roomViolationsOf(path: string, text: string, rooms: NonNullable<PackageRules["rooms"]>): string[] {
  const room = roomOf(path);
  const allowed = rooms[room];
  if (room === door) return [];
  if (!allowed) return [`${path}: the room ${room} is not in the table of tooling/checks/src/packages.ts`];
  return importsOf(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)).flatMap(({ specifier, line }) => {
    if (!specifier?.startsWith(".")) return [];
    const file = posix.join(posix.dirname(path), specifier);
    const other = roomOf(file);
    if (file.startsWith("..") || other === room || allowed.includes(other)) return [];
    return [`${path}:${line} imports ${file}: ${room} may import ${allowed.join(", ") || "no other"}`];
  });
}

/** Files beside the rooms. */
const door = "";

function roomOf(path: string): string {
  return path.includes("/") ? (path.split("/")[0] ?? door) : door;
}
