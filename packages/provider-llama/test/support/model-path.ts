import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type RandomModel, writeRandomModel } from "./random-model.ts";

/** Writes a model with random weights for the tests of this file, and returns its path. */
export function modelPath(model: RandomModel = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "cogency-llama-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "random.gguf");
  writeRandomModel(path, model);
  return path;
}
