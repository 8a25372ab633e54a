import { Module } from "node:module";
import { Script } from "node:vm";
import type { KeptCode } from "./kept-code.ts";

/** A CommonJS file, compiled. */
export interface Compiled {
  script: Script;
  /** Runs the file. */
  run: (
    ...given: [exports: unknown, require: NodeJS.Require, module: NodeJS.Module, path: string, folder: string]
  ) => void;
  /** How many commands have added to its code; 0 for one that was compiled from the text. */
  uses: number;
}

/**
 * Compiles a CommonJS file, from what is kept of it if V8 takes that. V8 takes the code of any text of the same length.
 * Undefined if what it took gives no function: nothing of the file has run then, and V8 would give the same again for this text.
 */
export function compile(text: string, path: string, kept?: KeptCode): Compiled | undefined {
  try {
    const script = new Script(Module.wrap(text), { filename: path, cachedData: kept?.code });
    const run: unknown = script.runInThisContext();
    if (typeof run !== "function") return undefined;
    return { script, run: run as Compiled["run"], uses: kept && !script.cachedDataRejected ? kept.uses : 0 };
  } catch {
    return undefined;
  }
}
