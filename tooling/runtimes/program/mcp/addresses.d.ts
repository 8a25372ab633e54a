/** Of a server that admits the page. The bundle has the address in its place. */
declare const OPEN_SERVER: string;
/** Of a server that does not. */
declare const CLOSED_SERVER: string;
