import { readmeExamples } from "@tooling/readme";
import { beforeAll } from "vitest";
import { guide, writeGuideFiles } from "../test/support/guide.ts";

readmeExamples(guide);

// The blocks of the guide import each other by the names it gives them.
beforeAll(() => writeGuideFiles(new URL(".readme/writing-a-provider/", guide)));
