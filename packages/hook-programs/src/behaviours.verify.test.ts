import { describe } from "vitest";
import { behavesAt } from "../test/support/behaviours.ts";
import { hookPoints } from "./index.ts";

describe("a program at every point", () => behavesAt(hookPoints));
