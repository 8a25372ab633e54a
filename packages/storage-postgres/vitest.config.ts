import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** Most tests wait for processes and for the server. */
export default mergeConfig(preset, { test: { globalSetup: "@tooling/postgres/setup", maxWorkers: 3 } });
