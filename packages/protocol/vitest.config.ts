import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

// The vectors hold lone surrogates, which only JSON.parse reads.
export default mergeConfig(preset, { json: { stringify: true } });
