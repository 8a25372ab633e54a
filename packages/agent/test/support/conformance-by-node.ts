import { test } from "node:test";
import { driverConformance } from "../../src/testkit/index.ts";
import { driverHarnesses } from "./driver-harnesses.ts";

const { native } = driverHarnesses;
if (!native) throw new Error("There is no harness of the native driver.");
for (const { name, run } of driverConformance("native", native)) test(name, run);
