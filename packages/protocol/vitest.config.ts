import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

/** `pnpm verify` runs the tests again, with ten times as many random inputs. */
const include = process.env.COGENCY_TESTS === "verify" ? ["src/**/*.test.ts"] : [];

// The vectors hold lone surrogates, which only JSON.parse reads.
export default mergeConfig(preset, { json: { stringify: true }, test: { include } });
