/** It does not imitate a browser, so that servers can refuse it. */
export const userAgent = "cogency-toolbox (tool of a language model agent)";
