import { describe } from "vitest";
import { shellCases } from "../../test/shell/shell-cases.ts";

describe("shell without a sandbox", () => shellCases("off", "one"));
