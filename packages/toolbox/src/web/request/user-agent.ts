/** Honest: servers may refuse it. */
export const USER_AGENT = "cogency-toolbox (tool of a language model agent)";
