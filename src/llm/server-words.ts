/** Parses error responses of chat-completions servers. */

/** Parameters that servers are known to refuse, more specific names first. */
const parameters = [
  'max_completion_tokens',
  'max_tokens',
  'top_logprobs',
  'logprobs',
  'temperature',
  'response_format',
] as const;

/** A `Retry-After` header, in seconds or as a date, in milliseconds from now. */
export function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : undefined;
}

/** The refused parameter: the error's `param`, else the first one its message names. */
export function rejectedParameter(body: string): string | undefined {
  const param = /"param"\s*:\s*"([\w.]+)/.exec(body)?.[1]?.split('.')[0];
  const known = parameters.find((name) => name === param);
  if (known !== undefined) return known;
  const first = parameters
    .map((name) => ({ name, at: body.search(new RegExp(`\\b${name}\\b`)) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0];
  return first?.name;
}
