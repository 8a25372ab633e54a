import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** Many tests wait for processes. */
export default mergeConfig(preset, { test: { globalSetup: "@tooling/postgres/setup", maxWorkers: 2 } });
