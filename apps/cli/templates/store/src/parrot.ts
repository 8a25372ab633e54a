import { memoryStore, type Store } from "@cogency/storage";

export interface ParrotOptions {
  /** Where the data is, such as the address of a database. */
  url?: string | undefined;
}

/** A store. Everything that the object below does not override still lives in memory. */
export async function parrotStore(_options: ParrotOptions = {}): Promise<Store> {
  const rest = memoryStore();
  return {
    ...rest,
    append: (key, events, options) => rest.append(key, events, options),
    load: (key, options) => rest.load(key, options),
  };
}

export default parrotStore;
