/**
 * The columns of a terminal. Some terminals, such as those of `script` and `expect`, say that they have none.
 *
 * @param otherwise for these, and for what is no terminal
 */
export function widthOr(stream: { readonly columns?: number }, otherwise: number): number {
  return stream.columns || otherwise;
}
