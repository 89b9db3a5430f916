import type { Outbound } from '#base/net/outbound.ts';
import { type AgentConnection, type KnownProtocol, openDriver, type Protocol } from './connection.ts';
import { AgentError, type AgentTask } from './drivers/driver.ts';

/** What a probe of an endpoint found. */
export interface Found {
  readonly reachable: boolean;
  readonly protocol: Protocol | null;
  readonly latencyMs: number | null;
  readonly message: string;
  readonly reply: string | null;
}

const greeting = 'Hello! Please reply with one short sentence, and call no tools.';
const probeTimeoutMs = 60_000;
const shownCharacters = 500;

const words: Record<KnownProtocol, string> = {
  openai_chat: 'OpenAI chat completions',
  openai_responses: 'the OpenAI Responses API',
  a2a: 'Agent2Agent (JSON-RPC)',
  ag_ui: 'AG-UI',
  json: 'JSON by a template',
};

/** The order in which protocols are tried: what the path of the endpoint speaks for comes first. */
function candidates({ endpoint, protocol, options }: AgentConnection): KnownProtocol[] {
  if (protocol !== 'auto') return [protocol];
  const { pathname } = new URL(endpoint);
  const hinted: KnownProtocol[] = [];
  if (pathname.endsWith('/chat/completions')) hinted.push('openai_chat');
  if (pathname.endsWith('/responses')) hinted.push('openai_responses');
  if (/a2a/i.test(pathname)) hinted.push('a2a');
  if (/ag-?ui/i.test(pathname)) hinted.push('ag_ui');
  const all: KnownProtocol[] = ['openai_chat', 'openai_responses', 'a2a', 'ag_ui'];
  return [...new Set<KnownProtocol>([...(options.template ? (['json'] as const) : []), ...hinted, ...all])];
}

function probeTask(signal: AbortSignal): AgentTask {
  return {
    prompt: greeting,
    sessionId: 'probe',
    mcpUrl: '',
    sessionKey: '',
    tools: { list: async () => [], call: async () => ({ text: 'There are no tools.', isError: true }) },
    signal,
  };
}

/** Sends a harmless greeting in each protocol that may be spoken, until one is understood. */
export async function probe(
  outbound: Outbound,
  connection: AgentConnection,
  signal: AbortSignal,
): Promise<Found> {
  const refusals: string[] = [];
  let reachable = false;
  for (const protocol of candidates(connection)) {
    const startedAt = performance.now();
    try {
      const driver = openDriver(outbound, connection, protocol, probeTimeoutMs);
      const reply = await driver.ask(probeTask(signal));
      return {
        reachable: true,
        protocol,
        latencyMs: Math.round(performance.now() - startedAt),
        message: `The endpoint speaks ${words[protocol]}${connection.protocol === 'auto' ? ', found by trying' : ''}.`,
        reply: reply.slice(0, shownCharacters),
      };
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      refusals.push(`${words[protocol]}: ${error.message}`);
      if (error.neverArrived) break;
      reachable = true;
    }
  }
  return { reachable, protocol: null, latencyMs: null, message: adviceOf(reachable, refusals), reply: null };
}

function adviceOf(reachable: boolean, refusals: readonly string[]): string {
  if (!reachable)
    return `No connection: ${refusals[0] ?? ''} Check the address, and that the agent runs and can be reached from here.`;
  return `The endpoint answers, but in no protocol that was tried. ${refusals.join(' ')} Name its protocol, or describe it with \`json\` and a template.`;
}
