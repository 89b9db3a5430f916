import type { IncomingHttpHeaders } from 'node:http';
import { defineOperation } from '#base/contract/operation.ts';
import type { CountRequest } from '#base/limits/rate-limits.ts';
import { createKey } from '#identity/authenticate.ts';
import { unauthorized } from '#identity/challenges.ts';
import type { Caller } from '#identity/caller.ts';
import type { Operation } from '#base/contract/operation.ts';
import { z } from 'zod';
import type { ProxyCaller, RunningSessions } from './running-sessions.ts';

/** How the endpoint is described to authentication; it is no operation of the API. */
const endpoint = defineOperation({
  method: 'POST',
  path: '/sandbox/mcp',
  tag: 'Sandbox',
  summary: 'MCP endpoint for agents under test',
  access: 'jwt_or_key',
  response: z.unknown(),
});

export interface AgentAuthentication {
  readonly sessions: RunningSessions;
  readonly authenticate: (operation: Operation, headers: IncomingHttpHeaders) => Promise<Caller | undefined>;
  /** Counts a request that comes with the token of a task in place of a key, by its session. */
  readonly countTask: CountRequest;
  /** Without authentication, calls without a key are those of the local administrator. */
  readonly isKeyRequired: boolean;
}

const textOf = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Who calls the MCP endpoint, and for which task. The token of a task stands for a key at this task alone: agents that
 * get their address with each request need no key of their own.
 * @throws AppError 401, 429
 */
export async function authenticateAgent(
  { sessions, authenticate, countTask, isKeyRequired }: AgentAuthentication,
  headers: IncomingHttpHeaders,
  tokenOfPath: string | undefined,
): Promise<ProxyCaller> {
  const token = tokenOfPath ?? textOf(headers['x-redteam-session']) ?? null;
  const key = textOf(headers['x-api-key']);
  const known = callerByToken(sessions, { key, token, tokenOfPath });
  if (known !== undefined) {
    await countTask(sessions.find(known).sessionId);
    return known;
  }
  if (key === undefined && isKeyRequired)
    throw unauthorized('missing_auth', `Send an API key in the header X-API-Key. ${createKey}`);
  const caller = await authenticate(endpoint, key === undefined ? {} : { 'x-api-key': key });
  if (caller === undefined) throw unauthorized('missing_auth', 'Send an API key in the header X-API-Key.');
  const { tenantId, userId, apiKeyId = null } = caller;
  return { tenantId, userId, apiKeyId, token };
}

/** Who calls with a token of a task in place of a key. */
function callerByToken(
  sessions: RunningSessions,
  {
    key,
    token,
    tokenOfPath,
  }: { key: string | undefined; token: string | null; tokenOfPath: string | undefined },
): ProxyCaller | undefined {
  // A gateway of ours has the address of its task alone.
  if (key === undefined) return tokenOfPath === undefined ? undefined : sessions.gatewayOf(tokenOfPath);
  const caller = sessions.callerOf(key);
  return caller !== undefined && (token === null || token === caller.token) ? caller : undefined;
}
