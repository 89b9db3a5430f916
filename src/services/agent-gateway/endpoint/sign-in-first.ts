/**
 * A server that each user signs in at by themselves: a call of one who has yet to is the moment to ask them. A client that
 * can open addresses is asked to, and the call goes on when the user is done; any other gets the address to show.
 */
import { AppError } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import { fieldsOf, notification, RpcError, rpcCodes, type Fields } from '#mcp/json-rpc.ts';
import { ownMetaPrefix } from '#mcp/protocol.ts';
import { needsConsentCode } from '../grants/credentials.ts';
import type { UserConsent } from '../grants/user-consent.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Ask, Client } from '../guarding/ask.ts';

/** Ends a call until the user has signed in. The address is for the user alone, so it stands in no message that is logged. */
class SignInFirst extends AppError {
  readonly url: string;
  constructor(server: McpServer, url: string) {
    super(502, needsConsentCode, `The MCP server ${server.name} wants the user to sign in at it.`);
    this.url = url;
  }
}

export interface SignInDeps {
  readonly consent: UserConsent;
  /** How long a call waits for the user to come back. */
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

/** Runs the call; once more when the user has signed in. Throws SignInFirst where they have not. */
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

/** For a tool: a result that the agent can show to its user. */
export function signInResult(error: unknown): Fields {
  if (!(error instanceof SignInFirst)) throw error;
  return {
    content: [{ type: 'text', text: instruction(error) }],
    isError: true,
    _meta: { [urlKey]: error.url },
  };
}

/** For what has no result to say it in. */
export function signInError(error: unknown): never {
  if (!(error instanceof SignInFirst)) throw error;
  throw new RpcError(
    rpcCodes.internalError,
    instruction(error),
    { authorization_url: error.url },
    { cause: error },
  );
}
