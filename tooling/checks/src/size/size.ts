import { printOutcomes } from "../outcome.ts";
import { measure, measuredBundles } from "./bundle-size.ts";

// `pnpm size`: bundles the packages as users would and compares the sizes with the table of packages.
printOutcomes(await Promise.all(measuredBundles().map((bundle) => measure(bundle))));
