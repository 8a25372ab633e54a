import { describe } from "vitest";
import { behavesAt } from "../test/support/behaviours.ts";

describe("a program that guards, and one that watches", () => behavesAt(["beforeToolUse", "afterToolUse"]));
