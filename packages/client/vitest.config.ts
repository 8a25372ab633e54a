import preset from "@tooling/vitest";
import { mergeConfig } from "vitest/config";

// `pnpm verify` tries random networks and streams ten times as often.
const random = ["test/convergence.test.ts", "src/stream/event-parser.test.ts"];

export default process.env.COGENCY_TESTS === "verify" ? mergeConfig(preset, { test: { include: random } }) : preset;
