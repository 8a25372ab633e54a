/** A number of bytes as it is shown, such as `1.50 kB`. */
export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}
