import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** The tests mostly wait for the server. */
export default mergeConfig(preset, { test: { globalSetup: "@tooling/postgres/setup" } });
