import { printOutcomes } from "../outcome.ts";
import { packages } from "../packages.ts";
import { publishablePackages } from "../workspace.ts";
import { measure, measuredBundles } from "./bundle-size.ts";
import { shippedSize } from "./shipped-size.ts";

// `pnpm size`: bundles the packages as users would, weighs commands as they are published, and compares the sizes with the
// table of packages.
const commands = publishablePackages().flatMap(({ path, folder }) => {
  const { shipped } = packages[path] ?? {};
  return shipped ? shippedSize(path, folder, shipped) : [];
});
printOutcomes([...(await Promise.all(measuredBundles().map((bundle) => measure(bundle)))), ...commands]);
