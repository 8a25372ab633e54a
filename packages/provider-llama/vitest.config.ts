import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

export default mergeConfig(preset, { test: { globalSetup: "./test/support/library-setup.ts" } });
