import { measureAssembly } from "./assembly.ts";
import type { Build } from "./ours.ts";
import { answer } from "./run-process.ts";

export interface AssemblyRequest {
  /** The module under test. */
  module: string;
  rounds: number;
}

answer(async ({ module, rounds }: AssemblyRequest) => measureAssembly((await import(module)) as Build, rounds));
