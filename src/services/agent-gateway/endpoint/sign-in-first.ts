/**
 * Handles calls to servers at which each user signs in separately, if the user has not done so. Clients that support
 * URL elicitation open the sign-in page and the call continues afterwards; others get the URL in the result.
 */
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import { fieldsOf, notification, RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import { ownMetaPrefix } from '#mcp/protocol.ts';
import { needsConsentCode } from '../grants/credentials.ts';
import type { UserConsent } from '../grants/user-consent.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Ask, Client } from '../guarding/ask.ts';

/** Ends a call until the user has signed in. The URL is only for that user, so it is not part of the logged message. */
class SignInFirst extends AppError {
  readonly url: string;
  constructor(server: McpServer, url: string) {
    super(502, needsConsentCode, `The MCP server ${server.name} wants the user to sign in at it.`);
    this.url = url;
  }
}

export interface SignInDeps {
  readonly consent: UserConsent;
  /** Maximum time that a call waits for the user's sign-in. */
  readonly patienceMs: number;
}

const opensAddresses = ({ capabilities }: Client) =>
  fieldsOf(capabilities['elicitation'])['url'] !== undefined;

const isMissing = (error: unknown): boolean => error instanceof AppError && error.code === needsConsentCode;

async function askUser(
  { consent, patienceMs }: SignInDeps,
  { client, ask, server }: { client: Client; ask: Ask; server: McpServer },
): Promise<void> {
  const url = await consent.urlFor(client.caller, server);
  if (!opensAddresses(client)) throw new SignInFirst(server, url);
  const elicitationId = newUuid();
  const message = `To use ${server.name}, sign in at it once.`;
  const answer = await ask.onRequest(
    {
      jsonrpc: '2.0',
      id: 'sign-in',
      method: 'elicitation/create',
      params: { mode: 'url', elicitationId, url, message },
    },
    ask.signal,
  );
  const until = AbortSignal.any([ask.signal, AbortSignal.timeout(patienceMs)]);
  const isDone = answer['action'] === 'accept' && (await consent.waitFor(client.caller, server, until));
  if (!isDone) throw new SignInFirst(server, url);
  ask.onNotification(notification('notifications/elicitation/complete', { elicitationId }));
}

/** Runs the call, and once more after the user has signed in. Throws SignInFirst if the user has not. */
export async function signInFirst<T>(
  deps: SignInDeps,
  call: { readonly client: Client; readonly ask: Ask; readonly server: McpServer },
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await askUser(deps, call);
    return run();
  }
}

const urlKey = `${ownMetaPrefix}authorization_url`;

const instruction = ({ detail, url }: SignInFirst) =>
  `${detail} Open this address in a browser, sign in there, then call again: ${url}`;

/** A tool result that the agent can show to its user. */
export function signInResult(error: unknown): Fields {
  if (!(error instanceof SignInFirst)) throw error;
  return {
    content: [{ type: 'text', text: instruction(error) }],
    isError: true,
    _meta: { [urlKey]: error.url },
  };
}

/** The error for methods whose result cannot carry the message. */
export function signInError(error: unknown): never {
  if (!(error instanceof SignInFirst)) throw error;
  throw new RpcError(
    rpcCodes.internalError,
    instruction(error),
    { authorization_url: error.url },
    { cause: error },
  );
}
