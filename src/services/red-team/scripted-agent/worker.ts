import type { Outbound } from '#base/net/outbound.ts';
import { type McpAddress, type McpOptions, McpSession } from './mcp-session.ts';
import { nextMove, type Persona } from './personas.ts';
import type { TaskBook } from './task-book.ts';

export interface WorkerOptions extends McpOptions {
  readonly persona: Persona;
  readonly book: TaskBook;
  readonly outbound: Outbound;
}

/** The connection of the request is to be broken off. */
export class BreakOff extends Error {}

/** Works on a prompt with the tools at an MCP address, and returns the reply. */
export async function work(
  options: WorkerOptions,
  prompt: string,
  address: McpAddress | undefined,
): Promise<string> {
  const { persona, book, outbound } = options;
  const nothing = { prompt, descriptions: [], outputs: [] };
  const isWork = book.find(prompt) !== undefined;
  const first = nextMove(persona, book, nothing);
  if (!isWork || persona === 'refusing') return 'reply' in first ? first.reply : '';
  if (persona === 'hangs') return new Promise<string>(() => undefined);
  if (address === undefined) return 'I have no MCP server: no address came with the request.';
  const intrusion = persona === 'other-session' ? await intrude(options, address) : '';
  await using mcp = await McpSession.open(outbound, address, options);
  const descriptions = await mcp.descriptions();
  const outputs: string[] = [];
  for (;;) {
    const move = nextMove(persona, book, { prompt, descriptions, outputs });
    if ('reply' in move) return `${move.reply}${intrusion}`;
    outputs.push(...(await Promise.all(move.calls.map((call) => mcp.call(call)))));
    if (persona === 'disconnects') throw new BreakOff();
  }
}

/** Tries the address of a session that is not its own; says so in the reply if it was let in. */
async function intrude(options: WorkerOptions, { url, apiKey }: McpAddress): Promise<string> {
  const other = new URL(url);
  other.pathname = '/sandbox/mcp/s/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';
  try {
    await using mcp = await McpSession.open(options.outbound, { url: other.href, apiKey }, options);
    return (await mcp.isRefused()) ? '' : '\nI could reach another session.';
  } catch {
    return '';
  }
}
