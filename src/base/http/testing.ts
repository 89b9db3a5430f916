/** Calling a server's operations without a socket, as tests of services do. */
import type { HttpApp } from './server.ts';

export interface Sent {
  /** A bearer token. */
  as?: string | undefined;
  key?: string | undefined;
  body?: unknown;
  /** Sent as it is. */
  raw?: string | Buffer | undefined;
  form?: FormData | undefined;
  headers?: Record<string, string>;
}

export interface Answered {
  status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape.
  body: any;
  headers: Record<string, unknown>;
}

export type TestCall = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  sent?: Sent,
) => Promise<Answered>;

export const callInto =
  (app: HttpApp): TestCall =>
  async (method, url, sent = {}) => {
    const { payload, contentType } = await payloadOf(sent);
    const { as, key, headers } = sent;
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(key !== undefined && { 'x-api-key': key }),
        ...(payload !== undefined && { 'content-type': contentType }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const body = isJson ? response.json() : response.body;
    return { status: response.statusCode, body, headers: response.headers };
  };

async function payloadOf({ raw, form, body }: Sent) {
  if (form !== undefined) {
    const encoded = new Response(form);
    const contentType = encoded.headers.get('content-type') ?? '';
    return { payload: Buffer.from(await encoded.arrayBuffer()), contentType };
  }
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return { payload, contentType: 'application/json' };
}
