/** @param time milliseconds that the server had */
export function noAnswer(time: number): Error {
  return new Error(`no answer for ${time / 1_000} s`);
}
