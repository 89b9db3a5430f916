/**
 * What an operator and a server learn about a call: spans, metrics, the audit log, and no private data of the caller.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createLog } from '#base/log/log.ts';
import { openTracing } from '#base/tracing/open-tracing.ts';
import { fieldsOf } from '#mcp/json-rpc.ts';
import { modernMessage } from '../../../../../test/fixtures/modern-request.ts';
import { openTestService } from '../../fixtures/service.ts';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string } }[];
}

async function listen(answer: (body: unknown, headers: IncomingHttpHeaders) => unknown): Promise<string> {
  const server = createServer((request, response) => {
    void json(request)
      .catch(() => undefined)
      .then((body) => {
        const answered = answer(body, request.headers);
        response.writeHead(answered === undefined ? 202 : 200, { 'content-type': 'application/json' });
        response.end(answered === undefined ? '' : JSON.stringify(answered));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const spans: WireSpan[] = [];
const collector = await listen((body) => {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[] };
  spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
  return {};
});

/** A server of the modern protocol that records what it received with each call. */
const seen: { headers: IncomingHttpHeaders; meta: Record<string, unknown>; body: string }[] = [];
const upstream = await listen((body, headers) => {
  const { id, method, params } = body as { id?: number; method: string; params?: Record<string, unknown> };
  const answer = (result: object) => ({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
  if (method === 'server/discover')
    return answer({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
  if (method === 'tools/list')
    return answer({
      tools: [{ name: 'look', inputSchema: { type: 'object' } }],
      ttlMs: 0,
      cacheScope: 'private',
    });
  if (method !== 'tools/call') return undefined;
  seen.push({ headers, meta: fieldsOf(params?.['_meta']), body: JSON.stringify(body) });
  return answer({ content: [{ type: 'text', text: 'seen' }] });
});

const { otlp } = loadConfig(platformSections, { OTEL_EXPORTER_OTLP_ENDPOINT: collector });
const tracing = await openTracing(otlp, { version: '0', log: createLog({ level: 'silent' }) });
assert.ok(tracing !== undefined);
const service = await openTestService({ tracing, env: { BULWARK_METRICS_ENABLED: 'true' } });
after(() => service[Symbol.asyncDispose]());
const { key, call } = service;
const { mcpUrl, gatewayId } = await service.gateway(
  [{ server: { transport: 'http', connection_url: `${upstream}/mcp` }, prefix: '' }],
  { rate_limit: { calls_per_minute: 3 } },
);

const post = (meta: Record<string, unknown>, headers: Record<string, string> = {}, args: object = {}) => {
  const message = modernMessage('tools/call', { name: 'look', arguments: args, _meta: meta });
  return call('POST', new URL(mcpUrl).pathname, {
    key,
    headers: { ...message.headers, ...headers },
    body: message.body,
  });
};

const first = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const second = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const traceparent = ({ traceId, spanId }: typeof first) => `00-${traceId}-${spanId}-01`;

test('spans of calls continue the client’s trace, from _meta or headers, and are passed on to the server', async () => {
  const secretArgs = { note: 'Good morning', password: 'hunter2', text: `Bearer ${key}` };
  assert.equal((await post({ traceparent: traceparent(first) }, {}, secretArgs)).status, 200);
  assert.equal((await post({ 'bulwark/task': 'Look.' }, { traceparent: traceparent(second) })).status, 200);
  assert.equal((await post({ traceparent: 'nonsense\r\nx: y' })).status, 200);

  const entries = async () => (await call('GET', `/api/gateways/${gatewayId}/calls`, { key })).body.calls;
  while ((await entries()).length < 3) await sleep(20);
  const logged = await entries();
  assert.deepEqual(logged.map((entry: { trace_id: string }) => entry.trace_id).slice(1), [
    second.traceId,
    first.traceId,
  ]);
  assert.doesNotMatch(JSON.stringify(logged), /hunter2|blwk_/);

  assert.equal((await post({})).status, 429, 'a fourth call in the minute');
  while (spans.filter(({ name }) => name === 'agent_gateway.tools/call').length < 4) await sleep(50);
  const calls = spans.filter(({ name }) => name === 'agent_gateway.tools/call');
  for (const [i, party] of [first, second].entries()) {
    const span = calls.find(({ traceId }) => traceId === party.traceId);
    assert.equal(span?.parentSpanId, party.spanId);
    const told = Object.fromEntries(span.attributes.map(({ key: name, value }) => [name, value.stringValue]));
    assert.deepEqual(told, {
      'mcp.method.name': 'tools/call',
      'mcp.tool.name': 'look',
      'bulwark.gateway_id': gatewayId,
      'bulwark.outcome': 'ok',
      'bulwark.allowed': 'true',
    });
    const expected = `00-${party.traceId}-${span.spanId}-01`;
    assert.equal(seen[i]?.meta['traceparent'], expected);
    assert.equal(seen[i]?.headers['traceparent'], expected);
  }
  assert.doesNotMatch(JSON.stringify(spans), /Good morning|hunter2|blwk_/);
});

test('neither the caller’s credential nor the client’s notes for the gateway reach a server', () => {
  assert.equal(seen.length, 3);
  for (const { headers, meta } of seen) {
    assert.deepEqual(
      [headers['x-api-key'], headers.authorization, headers.cookie],
      [undefined, undefined, undefined],
    );
    assert.equal(meta['bulwark/task'], undefined);
    assert.match(String(headers['traceparent']), /^00-[\da-f]{32}-[\da-f]{16}-0[01]$/);
  }
});

test('calls are counted by method and outcome', async () => {
  const { body } = await call('GET', '/metrics', {});
  assert.match(body, /bulwark_gateway_calls_total\{[^}]*method="tools\/call",outcome="ok"[^}]*\} 3/);
  assert.match(body, /bulwark_gateway_calls_total\{[^}]*outcome="rate_limited"[^}]*\} 1/);
});
