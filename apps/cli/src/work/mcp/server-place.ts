/** Where what a server says comes from, for a person. */
export function serverPlace(server: string): string {
  return `${server} (MCP server)`;
}
