type Method = (this: unknown, ...args: never[]) => unknown;

/** What one call of a method has looked at or written, in characters. */
type Cost = (self: unknown, args: readonly unknown[], result: unknown, from: number) => number;

const one: Cost = () => 1;
const whole: Cost = (self) => 1 + String(self).length;
const result: Cost = (_self, _args, value) => 1 + String(value).length;

/** A search reads up to the end of what it finds, or the rest. */
const search: Cost = (self, [wanted, from = 0], found) => {
  const end = typeof found === "number" && found >= 0 ? found + String(wanted).length : String(self).length;
  return 1 + Math.max(0, end - Number(from));
};

/** A sticky expression that does not match has read little; any other one has read the rest. */
const match: Cost = (self, [text], found, from) => {
  const { sticky, lastIndex } = self as RegExp;
  const array = found as RegExpExecArray | null | boolean;
  if (array === null || array === false) return 1 + (sticky ? 0 : String(text).length - from);
  return 1 + (typeof array === "object" ? array.index + array[0].length : lastIndex || String(text).length) - from;
};

const lengthOf = (array: unknown) => (array as unknown[]).length;
const items: Cost = (self) => 1 + lengthOf(self);
const copied: Cost = (_self, _args, value) => 1 + lengthOf(value);
/** A walk from the start up to what is found, or to the end. */
const upTo: Cost = (self, _args, found) => 1 + ((found as number) < 0 ? lengthOf(self) : (found as number));

const costs: [object: object, methods: { [name: string]: Cost }][] = [
  [
    String.prototype,
    {
      charAt: one,
      charCodeAt: one,
      codePointAt: one,
      at: one,
      indexOf: search,
      lastIndexOf: whole,
      includes: whole,
      startsWith: (_self, [start]) => 1 + String(start).length,
      endsWith: (_self, [end]) => 1 + String(end).length,
      slice: result,
      substring: result,
      toLowerCase: whole,
      isWellFormed: whole,
      toWellFormed: whole,
      split: whole,
      trim: whole,
      trimEnd: whole,
      repeat: result,
      replace: whole,
      replaceAll: whole,
      match: whole,
      matchAll: whole,
    },
  ],
  [
    Array.prototype,
    {
      // A copy, or a walk up to what is found.
      slice: copied,
      concat: copied,
      map: items,
      filter: items,
      flatMap: items,
      find: items,
      reverse: items,
      findLast: items,
      findIndex: upTo,
      indexOf: upTo,
      findLastIndex: (self, _args, found) => 1 + lengthOf(self) - Math.max(0, found as number),
      some: items,
      every: items,
      includes: items,
      toSorted: items,
      splice: (self, [at]) => 1 + lengthOf(self) - Number(at),
      join: items,
    },
  ],
  [RegExp.prototype, { exec: match, test: match }],
  [JSON, { parse: (_self, [text]) => 1 + String(text).length, stringify: result }],
  // The last one: counting begins with it.
  [Object, { keys: copied, values: copied, entries: copied, fromEntries: (_self, [entries]) => 1 + lengthOf(entries) }],
];

/**
 * Runs a function and counts the characters and items that it has looked at, copied or written through the methods of
 * strings, lists, regular expressions and JSON, up to the end of the promise that it returns. The count depends on the text and on
 * nothing else: not on the machine, its load or the engine's tricks. Sums of strings are not counted, because engines keep
 * them as trees; nor are loops and spreads.
 */
export function countWork(run: () => Promise<unknown>): Promise<number>;
export function countWork(run: () => void): number;
export function countWork(run: () => unknown): number | Promise<number> {
  let work = 0;
  let isCounting = true;
  const originals: [object: object, name: string, method: Method][] = [];
  for (const [object, methods] of costs) {
    for (const [name, cost] of Object.entries(methods)) {
      const original = (object as Record<string, Method>)[name] as Method;
      originals.push([object, name, original]);
      (object as Record<string, Method>)[name] = function (this: unknown, ...args: never[]) {
        if (cost === one) {
          if (isCounting) work++;
          return original.apply(this, args);
        }
        if (!isCounting) return original.apply(this, args);
        // What a method of strings does inside of itself is counted as its own. Methods of lists call ours.
        isCounting = Array.isArray(this);
        const from = this instanceof RegExp && (this.sticky || this.global) ? this.lastIndex : 0;
        try {
          const value = original.apply(this, args);
          work += cost(this, args, value, from);
          return value;
        } finally {
          isCounting = true;
        }
      };
    }
  }
  const stop = () => {
    for (const [object, name, method] of originals) (object as Record<string, Method>)[name] = method;
    return work;
  };
  let running: unknown;
  try {
    running = run();
  } finally {
    if (!(running instanceof Promise)) stop();
  }
  return running instanceof Promise ? running.finally(stop).then(() => work) : work;
}
