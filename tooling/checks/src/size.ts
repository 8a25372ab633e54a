import { budgets } from "./budgets.ts";
import { measure } from "./bundle-size.ts";
import { printOutcomes } from "./outcome.ts";

// `pnpm size`: bundles what users would bundle and holds it against budgets.ts.
printOutcomes(await Promise.all(budgets.map((budget) => measure(budget))));
