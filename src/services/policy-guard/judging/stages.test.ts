import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createLog } from '#base/log/log.ts';
import { openTracing } from '#base/tracing/open-tracing.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import { traced } from '#llm/traced.ts';
import { builtInGroup, openTestService } from '../fixtures/service.ts';

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const answeringModel = {
  complete: async () => ({ text: 'Good morning', isCutOff: false }),
  structured: () => Promise.reject(new Error('Good morning, but not in words')),
} as unknown as LanguageModel;

/** Spans received by a collector on its own port. */
async function openCollector() {
  const spans: WireSpan[] = [];
  const heads: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      assert.equal(request.url, '/v1/traces');
      heads.push(request.headers);
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: WireSpan[] }[] }[];
      };
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  after(() => server.close());
  return { url: `http://127.0.0.1:${port}/`, spans, heads };
}

const ask = async (service: Awaited<ReturnType<typeof openTestService>>, headers = {}) => {
  const { body } = await service.call('POST', '/api/guards', {
    as: service.tokens.admin,
    body: { name: 'Traced', policy_group_uuids: [builtInGroup], settings: { log_requests: true } },
  });
  const asked = { text: 'Good morning', guard_uuid: body.guard_uuid };
  const answer = await service.call('POST', '/api/topic_guard', {
    key: service.keys.admin,
    body: asked,
    headers,
  });
  assert.equal(answer.status, 200);
  return body.guard_uuid as string;
};

test('a request continues the caller’s trace, with a span for each stage', async () => {
  const collector = await openCollector();
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    BULWARK_OTLP_HEADERS: 'authorization=Bearer%20key',
  };
  const { otlp } = loadConfig(platformSections, env);
  const tracing = await openTracing(otlp, { version: '0', log: createLog({ level: 'silent' }) });
  assert.ok(tracing !== undefined);
  const service = await openTestService({ tracing });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const model = traced(answeringModel, tracing);
  await model.complete({ messages: [], maxTokens: 1 });
  await assert.rejects(model.structured({} as never), /not in words/);
  const guard = await ask(service, { traceparent: `00-${traceId}-b7ad6b7169203331-01` });
  const { body } = await service.call('GET', `/api/queries?guard_uuid=${guard}`, {
    as: service.tokens.admin,
  });
  const { body: detail } = await service.call('GET', `/api/queries/${body.queries[0].query_id}`, {
    as: service.tokens.admin,
  });
  assert.equal(detail.trace_id, traceId);
  await service[Symbol.asyncDispose]();
  await tracing[Symbol.asyncDispose]();

  assert.equal(collector.heads[0]?.['authorization'], 'Bearer key');
  const ours = collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string) => ours.find((span) => span.name === name);
  const request = named('policy_guard.topicGuard');
  assert.equal(request?.parentSpanId, 'b7ad6b7169203331');
  const status = request?.attributes.find(({ key }) => key === 'http.response.status_code');
  assert.equal(Number(status?.value.intValue), 200);
  const cache = named('policy_guard.cache');
  assert.equal(cache?.parentSpanId, request?.spanId);
  assert.equal(named('policy_guard.judge')?.parentSpanId, cache?.spanId);
  assert.ok(collector.spans.some(({ name }) => name === 'policy_guard.log'));
  const asked = collector.spans.filter(({ name }) => name.startsWith('llm.'));
  assert.deepEqual(
    asked.map(({ name, status: { code } }) => [name, code]),
    [
      ['llm.complete', 0],
      ['llm.structured', 2],
    ],
  );
  // No span contains the judged text.
  assert.doesNotMatch(JSON.stringify(collector.spans), /Good morning/);
});

test('without an endpoint nothing is traced; an unreachable collector does not affect requests', async () => {
  const log = createLog({ level: 'silent' });
  const off = loadConfig(platformSections, {}).otlp;
  assert.equal(await openTracing(off, { version: '0', log }), undefined);
  const away = loadConfig(platformSections, { BULWARK_OTLP_ENDPOINT: 'http://127.0.0.1:9' }).otlp;
  const tracing = await openTracing(away, { version: '0', log });
  const service = await openTestService({ tracing });
  await ask(service);
  await service[Symbol.asyncDispose]();
  await tracing?.[Symbol.asyncDispose]();
});

test('each stage has a latency histogram', async () => {
  await using service = await openTestService({ env: { BULWARK_METRICS_ENABLED: 'true' } });
  const guard = await ask(service);
  // Written by now, since the list waits for it.
  await service.call('GET', `/api/queries?guard_uuid=${guard}`, { as: service.tokens.admin });
  const { body } = await service.call('GET', '/metrics', {});
  const counted = (name: string, label: string) =>
    new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} 1$`, 'm').test(body);
  for (const stage of ['cache', 'judge', 'log'])
    assert.ok(counted('bulwark_policy_guard_stage_duration_seconds_count', `stage="${stage}"`), stage);
  assert.ok(counted('bulwark_policy_guard_verdicts_total', 'outcome="passed"'));
});
