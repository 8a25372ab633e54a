/** The error that ends a run, without the problem that was shown just before: it may end with the same one. */
export function untold<E extends Error>(error: E, told: string): E {
  const repeated = `${lastTime}${told}`;
  if (told === "" || !error.message.endsWith(repeated)) return error;
  const message = error.message.slice(0, -repeated.length);
  return Object.create(error, { message: { value: message }, cause: { value: error.cause } });
}

/** How an error begins to repeat the last of several problems. */
const lastTime = " The last time: ";
