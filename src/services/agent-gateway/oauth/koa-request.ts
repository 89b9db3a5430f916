/**
 * A sanitised request for oidc-provider: only the headers that it needs, with host and protocol from the configuration.
 * The caller's Host and X-Forwarded-* headers never influence a document or a redirect.
 */
import { IncomingMessage, type IncomingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import type { Addresses } from './addresses.ts';

const passed = [
  'accept',
  'accept-language',
  'authorization',
  'content-type',
  'cookie',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
];

export interface PlainRequest {
  readonly method: string;
  /** Path below the issuer's path, with query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: string | undefined;
}

export function koaRequest(addresses: Addresses, sent: PlainRequest): IncomingMessage {
  const { protocol, host } = new URL(addresses.issuer);
  const body = Buffer.from(sent.body ?? '');
  const request = new IncomingMessage(new Socket());
  request.method = sent.method;
  request.url = sent.path;
  request.httpVersion = '1.1';
  request.httpVersionMajor = 1;
  request.httpVersionMinor = 1;
  request.headers = {
    ...Object.fromEntries(
      passed.map((name) => [name, sent.headers[name]]).filter(([, value]) => value !== undefined),
    ),
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  };
  // The mount path of the provider.
  Object.assign(request, { baseUrl: addresses.path, complete: true });
  if (body.length > 0) request.push(body);
  request.push(null);
  return request;
}
