/** `mcp-scan` → MCP scan. */
export const serviceTitle = (service: string): string => {
  const words = service.replaceAll('-', ' ').replace(/\b(?:ai|mcp)\b/g, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
};
