/** Honest: servers may refuse it. */
export const userAgent = "cogency-toolbox (tool of a language model agent)";
