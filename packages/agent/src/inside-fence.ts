/** The text inside of the code fence that is all around it; a text without one is given as it is. */
export function insideFence(text: string): string {
  return fenced.exec(text)?.[1] ?? text;
}

const fenced = /^\s*```\w*\n(.*)\n```\s*$/s;
