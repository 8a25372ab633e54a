/**
 * Regular expressions for the formats of JSON Schema that a grammar binds. Each matches only texts of the format, the usual
 * ones of them: dates without 29 February, addresses of the Internet's hosts in ASCII, IPv6 addresses in full.
 */
export const formats: { readonly [format: string]: string } = (() => {
  const year = "[12]\\d{3}";
  const date = `${year}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))`;
  const time = "(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{1,9})?(?:Z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)";
  const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,30}[a-zA-Z0-9])?";
  const host = `${label}(?:\\.${label}){0,5}`;
  const byte = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  const word = "[a-zA-Z0-9_+-]{1,20}";
  const inPath = "(?:[a-zA-Z0-9._~!$&'()*+,;=:@-]|%[0-9a-fA-F]{2})*";
  const inQuery = "(?:[a-zA-Z0-9._~!$&'()*+,;=:@/?-]|%[0-9a-fA-F]{2})*";
  const duration = "\\d{1,6}Y(?:\\d{1,6}M)?|\\d{1,6}M(?:\\d{1,6}D)?|\\d{1,6}D";
  const clock = "T(?:\\d{1,6}H(?:\\d{1,6}M(?:\\d{1,6}S)?)?|\\d{1,6}M(?:\\d{1,6}S)?|\\d{1,6}S)";
  const hex = "[0-9a-fA-F]";
  const whole: { [format: string]: string } = {
    date,
    time,
    "date-time": `${date}T${time}`,
    duration: `P(?:(?:${duration})(?:${clock})?|${clock}|\\d{1,6}W)`,
    email: `${word}(?:\\.${word}){0,2}@${label}(?:\\.${label}){0,3}\\.[a-zA-Z]{2,20}`,
    hostname: host,
    ipv4: `${byte}(?:\\.${byte}){3}`,
    ipv6: `${hex}{1,4}(?::${hex}{1,4}){7}`,
    uuid: `${hex}{8}-${hex}{4}-[1-8]${hex}{3}-[89abAB]${hex}{3}-${hex}{12}`,
    uri: `(?:https?|ftp|file|wss?)://${host}(?::\\d{2,5})?(?:/${inPath})*(?:\\?${inQuery})?(?:#${inQuery})?`,
    "json-pointer": "(?:/(?:[a-zA-Z0-9 _.-]|~[01])*)*",
  };
  whole.url = whole.uri as string;
  return Object.fromEntries(Object.entries(whole).map(([format, source]) => [format, `^${source}$`]));
})();
