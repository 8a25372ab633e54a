/**
 * What an append that resolved survives: the end of the `process`, however it comes, or that of the whole machine too
 * (`power`).
 */
export type Durability = "process" | "power";
