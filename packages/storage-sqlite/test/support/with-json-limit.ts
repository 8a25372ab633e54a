/**
 * Carries out `work` as if `limit` were the length of the longest string of this machine, so that JSON which is too long need
 * not have half a gigabyte. The tests of @cogency/storage show the real limit.
 */
export async function withJsonLimit<Result>(limit: number, work: () => Promise<Result>): Promise<Result> {
  const { stringify } = JSON;
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    const text = stringify(...args);
    if (text?.length > limit) throw new RangeError("Invalid string length");
    return text;
  }) as typeof stringify;
  try {
    return await work();
  } finally {
    JSON.stringify = stringify;
  }
}
