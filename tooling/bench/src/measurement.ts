/** CPU time of one run, user and system, in milliseconds. */
export interface Measurement {
  name: string;
  median: number;
  min: number;
  max: number;
  /** The median as a multiple of the floor's; undefined where no contender is the floor. */
  ratio: number | undefined;
  rate: { value: number; unit: "MB/s" | "operations/s" };
}
