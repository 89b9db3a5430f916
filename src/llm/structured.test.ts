import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { openScripted } from './fixtures/scripted.ts';

const schema = z.object({
  violations: z.array(z.object({ rule: z.int(), severity: z.enum(['low', 'high']) })),
  note: z.string(),
});
const question = { system: 'Find violations.', user: 'The data: "trace"', schema, name: 'violations' };
const good = { violations: [{ rule: 2, severity: 'high' as const }], note: 'paid' };
const forTrace = { user: 'trace' };

test('a value that matches the schema is returned, and the server is asked to enforce the schema', async () => {
  await using scripted = await openScripted({ rules: [{ when: forTrace, do: { json: good } }] });
  assert.deepEqual(await scripted.model.structured(question), good);
  const format = scripted.server.stats.requests.at(-1)?.response_format;
  assert.equal(format?.type, 'json_schema');
  assert.equal(format.json_schema?.['strict'], true);
  assert.equal(format.json_schema?.['name'], 'violations');
});

test('schemas with optional properties are sent as not strict', async () => {
  await using scripted = await openScripted({ rules: [{ when: forTrace, do: { json: {} } }] });
  const open = z.object({ note: z.string().optional() });
  assert.deepEqual(await scripted.model.structured({ ...question, schema: open }), {});
  assert.equal(scripted.server.stats.requests.at(-1)?.response_format?.json_schema?.['strict'], false);
});

test('a server without schema support gets the schema in the prompt, and JSON is found in its prose', async () => {
  await using scripted = await openScripted({
    always: { jsonSchema: false },
    rules: [{ when: forTrace, do: { reply: `Of course!\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\`` } }],
  });
  assert.deepEqual(await scripted.model.structured(question), good);
  const last = scripted.server.stats.requests.at(-1);
  assert.equal(last?.response_format, undefined);
  assert.match(last?.messages.at(-1)?.content ?? '', /"severity"/);
});

test('a reply that does not match the schema is sent back once, with the errors', async () => {
  await using scripted = await openScripted({
    rules: [
      {
        when: forTrace,
        times: 1,
        do: { json: { ...good, violations: [{ rule: 'two', severity: 'high' }] } },
      },
      { when: forTrace, do: { json: good } },
    ],
  });
  assert.deepEqual(await scripted.model.structured(question), good);
  const messages = scripted.server.stats.requests.at(-1)?.messages ?? [];
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  );
  assert.match(messages.at(-1)?.content ?? '', /violations\.0\.rule/);
});

test('two replies that do not match the schema are an error', async () => {
  await using scripted = await openScripted({
    rules: [{ when: forTrace, do: { reply: '{"violations": [' } }],
  });
  const before = scripted.server.stats.calls;
  await assert.rejects(scripted.model.structured(question), { code: 'llm_malformed' });
  const asked = scripted.server.stats.requests
    .slice(before)
    .filter(({ messages }) => /trace/.test(messages[1]?.content ?? ''));
  assert.equal(asked.length, 2);
});

for (const refuse of ['text', 'field', 'filter'] as const)
  test(`a refusal is an error (${refuse})`, async () => {
    await using scripted = await openScripted({ rules: [{ when: forTrace, do: { refuse } }] });
    await assert.rejects(scripted.model.structured(question), { code: 'llm_refused' });
  });

test('free text is returned without reasoning; an empty or filtered reply is an error', async () => {
  await using scripted = await openScripted({
    rules: [
      { when: { user: 'empty' }, do: { reply: '' } },
      { when: { user: 'filter' }, do: { refuse: 'filter' } },
      { when: forTrace, do: { reply: '<think>hm</think>\n The summary. ' } },
    ],
  });
  const complete = (content: string) =>
    scripted.model.complete({ messages: [{ role: 'user', content }], maxTokens: 100 });
  assert.deepEqual(await complete('trace'), { text: 'The summary.', isCutOff: false });
  await assert.rejects(complete('empty'), { code: 'llm_malformed' });
  await assert.rejects(complete('filter'), { code: 'llm_refused' });
});
