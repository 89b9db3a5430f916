/**
 * Calls to URLs that users give: servers, callbacks, sources. The address that a name resolves to is checked when the
 * connection is made, so a name that points elsewhere a moment later is no way round, and each redirect is a new call.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request } from 'undici';
import type { PlatformConfig } from '../config/platform.ts';
import { AppError } from '../errors.ts';
import { addressCheck } from './addresses.ts';
import { exchange, tooLarge } from './exchange.ts';

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  /** Until the answer's head is there; 30,000 unless said, 0 for none. */
  readonly headTimeoutMs?: number;
  /** The longest silence within the answer's body; 30,000 unless said, 0 for none. */
  readonly idleTimeoutMs?: number;
  /** The answer stays open for as long as the other side has something to tell: it takes none of the places of calls. */
  readonly isStream?: boolean;
  /** Redirects to follow (each checked anew; credentials stay with their origin); none unless said. */
  readonly maxRedirects?: number;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to its end or destroy it: the connection waits for that. */
  readonly body: Readable;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/** An answer in JSON, read to its end. */
export interface OutboundText extends Omit<OutboundAnswer, 'body'> {
  readonly text: string;
}

/** The one way out for users' URLs. */
export interface Outbound extends AsyncDisposable {
  /**
   * @throws AppError 422 `forbidden_address` for a URL that must not be called, 502 `unreachable`, 504 `timed_out`; the
   * signal's own reason when it was aborted.
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * The same, for who waits for the whole answer: one with status 200 in JSON comes as text.
   * @throws AppError 502 `too_large` when it has more than `limitBytes`
   */
  exchange(url: string, options: OutboundRequest, limitBytes: number): Promise<OutboundAnswer | OutboundText>;
  /** Throws AppError 422 for a URL that is refused whatever its name resolves to. */
  assertAllowed(url: string): void;
}

const defaultTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;
/** To one origin. */
const maxStreams = 10_000;
const maxKnown = 1000;

/** Where a name may not lead; tells itself from a network's failure. */
class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

const forbiddenAddress = (host: string, cause?: unknown) =>
  new AppError(
    422,
    'forbidden_address',
    `${host} is a private or reserved address, which this service does not call. ` +
      'The operator can allow networks with BULWARK_ALLOW_PRIVATE_NETWORK.',
    { cause },
  );

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Resolves a name to those of its addresses that may be called. */
function checkedLookup(allowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...(options as LookupOptions), all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const open = found.filter(({ address }) => allowed(address));
      const [first] = open;
      if (first === undefined) callback(new ForbiddenAddress(hostname) as NodeJS.ErrnoException, []);
      else if (options.all === true) callback(null, open);
      else callback(null, first.address, first.family);
    });
  };
}

function parse(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new AppError(422, 'invalid', `${url.slice(0, 200)} is not an http:// or https:// URL.`);
  return parsed;
}

function causeChain(error: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let each = error; each !== undefined && chain.length < 5; each = (each as { cause?: unknown }).cause)
    chain.push(each, ...(each instanceof AggregateError ? (each.errors as unknown[]) : []));
  return chain;
}

function failureOf(url: URL, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const chain = causeChain(error);
  if (chain.some((each) => each instanceof ForbiddenAddress)) return forbiddenAddress(url.hostname, error);
  const code = chain
    .map((each) => (each as { code?: unknown }).code)
    .find((each) => typeof each === 'string');
  if (String(code).includes('TIMEOUT'))
    return new AppError(504, 'timed_out', `${url.origin} did not answer in time.`, { cause: error });
  return new AppError(
    502,
    'unreachable',
    `${url.origin} cannot be reached${code === undefined ? '' : ` (${String(code)})`}.`,
    {
      cause: error,
    },
  );
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** What is sent on to the place of a redirect: nothing secret and nobody's identity across origins, no body where the method becomes GET. */
function redirected(options: OutboundRequest, status: number, from: URL, to: URL): OutboundRequest {
  const becomesGet = status === 303 || (status < 303 && options.method === 'POST');
  const secret =
    /^(authorization|cookie|x-api-key|proxy-authorization|mcp-session-id|x-bulwark-.*|x-forwarded-.*)$/i;
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).filter(
      ([name]) =>
        (from.origin === to.origin || !secret.test(name)) && !(becomesGet && /^content-/i.test(name)),
    ),
  );
  const { body, ...rest } = options;
  return { ...rest, headers, ...(becomesGet ? { method: 'GET' } : body !== undefined && { body }) };
}

export interface OutboundSettings {
  readonly environment: PlatformConfig['environment'];
  readonly allowPrivateNetwork: PlatformConfig['allowPrivateNetwork'];
  /** Connections to one origin at most; 64 unless said. */
  readonly connections?: number;
}

/** @throws StartupError when the setting `allow_private_network` is not understood. */
export function openOutbound(settings: OutboundSettings): Outbound {
  const allowed = addressCheck({
    allowed: settings.allowPrivateNetwork,
    loopback: settings.environment === 'development',
  });
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: checkedLookup(allowed) });
  const agentFor = (connections: number) =>
    new Agent({
      connections,
      keepAliveTimeout: 10_000,
      // A literal address is never looked up, so it is checked here as well.
      connect(options, callback) {
        const host = bare(options.hostname);
        if (isIP(host) !== 0 && !allowed(host)) callback(new ForbiddenAddress(host), null);
        else connect(options, callback);
      },
    });
  const agent = agentFor(settings.connections ?? 64);
  const streams = agentFor(maxStreams);

  const assertAllowed = (url: URL) => {
    const host = bare(url.hostname);
    if (isIP(host) !== 0 && !allowed(host)) throw forbiddenAddress(host);
  };

  const timeouts = (options: OutboundRequest) => ({
    headersTimeout: options.headTimeoutMs ?? defaultTimeoutMs,
    bodyTimeout: options.idleTimeoutMs ?? defaultTimeoutMs,
  });
  const dispatcherFor = ({ isStream }: OutboundRequest) => (isStream === true ? streams : agent);

  const once = async (url: URL, options: OutboundRequest): Promise<OutboundAnswer> => {
    const { method = 'GET', headers = {}, body, signal } = options;
    try {
      const answer = await request(url, {
        method,
        headers: { ...headers },
        body: body ?? null,
        signal: signal ?? null,
        dispatcher: dispatcherFor(options),
        ...timeouts(options),
      });
      // A body that is destroyed unread emits an error, which is nobody's; readers get theirs all the same.
      answer.body.on('error', () => undefined);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body, url: url.href };
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(url, error);
    }
  };

  const onceAsText =
    (limitBytes: number) =>
    async (url: URL, options: OutboundRequest): Promise<OutboundAnswer | OutboundText> => {
      const { method = 'GET', headers = {}, body, signal } = options;
      const { origin, pathname, search, href } = url;
      const asked = { origin, path: pathname + search, method, headers: { ...headers }, body: body ?? null };
      try {
        const answer = await exchange(
          dispatcherFor(options),
          { ...asked, ...timeouts(options) },
          { limitBytes, signal },
        );
        return { ...answer, url: href };
      } catch (error) {
        signal?.throwIfAborted();
        throw failureOf(url, error);
      }
    };

  /** URLs that were called last: reading and checking one costs more than finding it again. */
  const known = new Map<string, URL>();
  const allowedUrl = (url: string): URL => {
    const found = known.get(url);
    if (found !== undefined) return found;
    const parsed = parse(url);
    assertAllowed(parsed);
    if (known.size >= maxKnown) known.clear();
    known.set(url, parsed);
    return parsed;
  };

  return {
    assertAllowed: (url) => assertAllowed(parse(url)),
    request: (url, options = {}) => follow(url, options, once),
    exchange: (url, options, limitBytes) => follow(url, options, onceAsText(limitBytes)),
    async [Symbol.asyncDispose]() {
      await Promise.all([agent.destroy(), streams.destroy()]);
    },
  };

  async function follow<Answer extends OutboundAnswer | OutboundText>(
    url: string,
    options: OutboundRequest,
    send: (url: URL, options: OutboundRequest) => Promise<Answer>,
  ): Promise<Answer> {
    let target = allowedUrl(url);
    let sent = options;
    for (let left = options.maxRedirects ?? 0; ; left -= 1) {
      const answer = await send(target, sent);
      const { location } = answer.headers;
      if (!redirects.has(answer.status) || typeof location !== 'string' || left <= 0) return answer;
      if ('body' in answer) answer.body.destroy();
      const next = parse(
        URL.canParse(location, target.href) ? new URL(location, target.href).href : location,
      );
      assertAllowed(next);
      sent = redirected(sent, answer.status, target, next);
      target = next;
    }
  }
}

/**
 * The body as text.
 * @throws AppError 502 `too_large` when there is more than `limitBytes` of it.
 */
export async function readLimited(body: Readable, limitBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > limitBytes) {
      body.destroy();
      throw tooLarge(limitBytes);
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
