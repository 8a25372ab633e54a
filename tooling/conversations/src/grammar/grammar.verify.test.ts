import { grammarLaws } from "./grammar-laws.ts";

// In all 100,000 answers: both dialects, the tools of the toolbox and 500 pairs of generated ones.
grammarLaws({ toolbox: 25_000, languages: 500, each: 50, mutations: 2000 });
