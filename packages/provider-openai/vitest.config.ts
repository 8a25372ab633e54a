import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** One process for all files: starting a process for each file takes longer than most files take to run. */
export default mergeConfig(preset, { test: { isolate: false } });
