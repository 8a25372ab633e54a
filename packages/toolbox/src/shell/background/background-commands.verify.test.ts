import { describe } from "vitest";
import { backgroundCases } from "../../../test/shell/background-cases.ts";

describe("a command in the background, without a sandbox", () => backgroundCases("off"));
