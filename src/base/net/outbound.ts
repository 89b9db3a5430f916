/**
 * Requests to URLs that users provide, protected against SSRF. The resolved address is checked when the
 * connection is made, so DNS rebinding does not work, and each redirect is checked again.
 */
import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Readable } from 'node:stream';
import { once } from 'node:events';
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
  /** Timeout for the response head; default: 30,000; 0: none. */
  readonly headTimeoutMs?: number;
  /** Idle timeout within the response body; default: 30,000; 0: none. */
  readonly idleTimeoutMs?: number;
  /** The response is a long-lived stream: it does not count against the connection limit. */
  readonly isStream?: boolean;
  /** Redirects to follow (each is checked again; what the caller sent stays with its origin); default: none. */
  readonly maxRedirects?: number;
  /** A redirect to another origin is refused; one from http to https of the same host is none. */
  readonly staysAtOrigin?: boolean;
}

export interface OutboundAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to its end or destroy it, else the connection stays occupied. */
  readonly body: Readable;
  /** The final URL, after redirects. */
  readonly url: string;
}

/** A JSON response, read completely. */
export interface OutboundText extends Omit<OutboundAnswer, 'body'> {
  readonly text: string;
}

/** HTTP client for users' URLs; all requests to them must use it. */
export interface Outbound extends AsyncDisposable {
  /**
   * @throws AppError 422 `forbidden_address` for a forbidden URL, 502 `unreachable`, 502 `redirected_elsewhere` for a
   * redirect that is not followed, 504 `timed_out`; the signal's own reason when it was aborted.
   */
  request(url: string, options?: OutboundRequest): Promise<OutboundAnswer>;
  /**
   * The same, but a JSON response with status 200 is read completely and returned as text.
   * @throws AppError 502 `too_large` when it has more than `limitBytes`
   */
  exchange(url: string, options: OutboundRequest, limitBytes: number): Promise<OutboundAnswer | OutboundText>;
  /**
   * A connection for another protocol than HTTP, to an address that is checked in the same way.
   * @throws AppError as {@link request}
   */
  connect(to: OutboundTarget, signal?: AbortSignal): Promise<Socket>;
  /** Throws AppError 422 for a URL that is forbidden regardless of DNS. */
  assertAllowed(url: string): void;
}

export interface OutboundTarget {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
  readonly isTls: boolean;
}

const defaultTimeoutMs = 30_000;
const connectTimeoutMs = 10_000;
/** Maximum streams to one origin. */
const maxStreams = 10_000;
const maxKnown = 1000;

/** A host resolved to a forbidden address; distinguishes this from network failures. */
class ForbiddenAddress extends Error {
  override readonly name = 'ForbiddenAddress';
}

const forbiddenAddress = (host: string, cause?: unknown) =>
  new AppError(
    422,
    'forbidden_address',
    `${host} is a private or reserved address, which this service does not contact. ` +
      'The operator can allow networks with BULWARK_ALLOW_PRIVATE_NETWORK.',
    { cause },
  );

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** DNS lookup that returns only allowed addresses. */
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

function failureOf(url: Pick<URL, 'hostname' | 'origin'>, error: unknown): AppError {
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

const redirectedElsewhere = (from: URL, to: URL) =>
  new AppError(
    502,
    'redirected_elsewhere',
    `${from.origin} redirects to another origin, ${to.origin}, which is not followed. If that is where it is now, enter that address.`,
  );

const redirects = new Set([301, 302, 303, 307, 308]);

/** What another origin may see of the caller's headers: any other may be a secret, whatever it is called. */
const openHeader = /^(?:accept|accept-.*|content-.*|mcp-protocol-version|range|user-agent)$/i;

/** The same host, encrypted from now on, counts as the same origin. */
const isSameOrigin = (from: URL, to: URL): boolean =>
  from.origin === to.origin ||
  (from.protocol === 'http:' &&
    to.protocol === 'https:' &&
    from.hostname === to.hostname &&
    (to.port === '' || to.port === from.port));

/** The request for a redirect; undefined where it would carry the body to another origin. */
function redirected(options: OutboundRequest, status: number, isSame: boolean): OutboundRequest | undefined {
  const becomesGet = status === 303 || (status < 303 && options.method === 'POST');
  if (!isSame && !becomesGet && options.body !== undefined) return undefined;
  const headers = Object.fromEntries(
    Object.entries(options.headers ?? {}).filter(
      ([name]) => (isSame || openHeader.test(name)) && !(becomesGet && /^content-/i.test(name)),
    ),
  );
  const { body, ...rest } = options;
  return { ...rest, headers, ...(becomesGet ? { method: 'GET' } : body !== undefined && { body }) };
}

export interface OutboundSettings {
  readonly environment: PlatformConfig['environment'];
  readonly allowPrivateNetwork: PlatformConfig['allowPrivateNetwork'];
  /** Maximum connections per origin; default: 64. */
  readonly connections?: number;
}

export const openOutbound = (settings: OutboundSettings): Outbound => new CheckedOutbound(settings);

type Send<Answer> = (url: URL, options: OutboundRequest) => Promise<Answer>;

class CheckedOutbound implements Outbound {
  readonly #isAllowed: (address: string) => boolean;
  readonly #agent: Agent;
  readonly #streams: Agent;
  /** Recently parsed URLs: parsing and checking costs more than a lookup. */
  readonly #known = new Map<string, URL>();

  constructor(settings: OutboundSettings) {
    this.#isAllowed = addressCheck({
      allowed: settings.allowPrivateNetwork,
      loopback: settings.environment === 'development',
    });
    this.#agent = agentFor(settings.connections ?? 64, this.#isAllowed);
    this.#streams = agentFor(maxStreams, this.#isAllowed);
  }

  assertAllowed(url: string): void {
    this.#assertAllowed(parse(url));
  }

  request(url: string, options: OutboundRequest = {}): Promise<OutboundAnswer> {
    return this.#follow(url, options, (target, sent) => this.#send(target, sent));
  }

  exchange(
    url: string,
    options: OutboundRequest,
    limitBytes: number,
  ): Promise<OutboundAnswer | OutboundText> {
    return this.#follow(url, options, (target, sent) => this.#sendForText(target, sent, limitBytes));
  }

  async connect({ host, port, isTls }: OutboundTarget, signal?: AbortSignal): Promise<Socket> {
    if (isIP(host) !== 0 && !this.#isAllowed(host)) throw forbiddenAddress(host);
    const to = { host, port, lookup: checkedLookup(this.#isAllowed) };
    const socket = isTls
      ? connectTls({ ...to, ...(isIP(host) === 0 && { servername: host }) })
      : connectTcp(to);
    socket.setNoDelay(true);
    // Errors after this are seen by whoever reads.
    socket.on('error', () => undefined);
    const timeout = AbortSignal.timeout(connectTimeoutMs);
    const waiting = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
    try {
      await once(socket, isTls ? 'secureConnect' : 'connect', { signal: waiting });
      return socket;
    } catch (error) {
      socket.destroy();
      signal?.throwIfAborted();
      const late = timeout.aborted ? Object.assign(new Error('late'), { code: 'ETIMEDOUT' }) : error;
      throw failureOf({ hostname: host, origin: `${host}:${port}` }, late);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.#streams.destroy()]);
  }

  #assertAllowed(url: URL): void {
    const host = bare(url.hostname);
    if (isIP(host) !== 0 && !this.#isAllowed(host)) throw forbiddenAddress(host);
  }

  #allowedUrl(url: string): URL {
    const found = this.#known.get(url);
    if (found !== undefined) return found;
    const parsed = parse(url);
    this.#assertAllowed(parsed);
    if (this.#known.size >= maxKnown) this.#known.clear();
    this.#known.set(url, parsed);
    return parsed;
  }

  #dispatcherFor({ isStream }: OutboundRequest): Agent {
    return isStream === true ? this.#streams : this.#agent;
  }

  async #send(url: URL, options: OutboundRequest): Promise<OutboundAnswer> {
    const { method = 'GET', headers = {}, body, signal } = options;
    try {
      const answer = await request(url, {
        method,
        headers: { ...headers },
        body: body ?? null,
        signal: signal ?? null,
        dispatcher: this.#dispatcherFor(options),
        ...timeouts(options),
      });
      // A body that is destroyed unread emits an unhandled error; readers still get theirs.
      answer.body.on('error', () => undefined);
      return { status: answer.statusCode, headers: answer.headers, body: answer.body, url: url.href };
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(url, error);
    }
  }

  async #sendForText(
    url: URL,
    options: OutboundRequest,
    limitBytes: number,
  ): Promise<OutboundAnswer | OutboundText> {
    const { method = 'GET', headers = {}, body, signal } = options;
    const { origin, pathname, search, href } = url;
    const asked = { origin, path: pathname + search, method, headers: { ...headers }, body: body ?? null };
    try {
      const answer = await exchange(
        this.#dispatcherFor(options),
        { ...asked, ...timeouts(options) },
        { limitBytes, signal },
      );
      return { ...answer, url: href };
    } catch (error) {
      signal?.throwIfAborted();
      throw failureOf(url, error);
    }
  }

  async #follow<Answer extends OutboundAnswer | OutboundText>(
    url: string,
    options: OutboundRequest,
    send: Send<Answer>,
  ): Promise<Answer> {
    let target = this.#allowedUrl(url);
    let sent = options;
    for (let left = options.maxRedirects ?? 0; ; left -= 1) {
      const answer = await send(target, sent);
      const { location } = answer.headers;
      if (!redirects.has(answer.status) || typeof location !== 'string' || left <= 0) return answer;
      if ('body' in answer) answer.body.destroy();
      const next = parse(
        URL.canParse(location, target.href) ? new URL(location, target.href).href : location,
      );
      this.#assertAllowed(next);
      const isSame = isSameOrigin(target, next);
      const following =
        isSame || options.staysAtOrigin !== true ? redirected(sent, answer.status, isSame) : undefined;
      if (following === undefined) throw redirectedElsewhere(target, next);
      sent = following;
      target = next;
    }
  }
}

const timeouts = (options: OutboundRequest) => ({
  headersTimeout: options.headTimeoutMs ?? defaultTimeoutMs,
  bodyTimeout: options.idleTimeoutMs ?? defaultTimeoutMs,
});

/** Connects to allowed addresses only. */
function agentFor(connections: number, isAllowed: (address: string) => boolean): Agent {
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: checkedLookup(isAllowed) });
  return new Agent({
    connections,
    keepAliveTimeout: 10_000,
    // IP literals are not looked up, so check them here.
    connect(options, callback) {
      const host = bare(options.hostname);
      if (isIP(host) !== 0 && !isAllowed(host)) callback(new ForbiddenAddress(host), null);
      else connect(options, callback);
    },
  });
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
