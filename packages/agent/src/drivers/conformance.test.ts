import { describe, it } from "vitest";
import { driverHarnesses } from "../../test/support/driver-harnesses.ts";
import { driverConformance } from "../testkit/index.ts";

describe.each(Object.entries(driverHarnesses))("the driver %s", (driver, make) => {
  for (const { name, run } of driverConformance(driver, make)) it(name, run);
});
