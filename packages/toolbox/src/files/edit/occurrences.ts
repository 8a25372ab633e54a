/** Yields the places of `wanted` in a text. Each search starts `step` characters after the place before. */
export function* occurrences(text: string, wanted: string, step: number): Generator<number> {
  for (let place = text.indexOf(wanted); place !== -1; place = text.indexOf(wanted, place + step)) yield place;
}
