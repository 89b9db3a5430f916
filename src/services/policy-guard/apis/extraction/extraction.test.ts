/** Policies extracted from PDFs, through HTTP. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { encryptedPdf, makePdf, scannedPdf, setDocument } from '../../../../../test/fixtures/pdf/make-pdf.ts';
import { startScriptedModel } from '../../../../../test/fixtures/scripted-model/server.ts';
import { openTestService, type TestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());

const folder = join(import.meta.dirname, '../../../../../test/fixtures/policy-documents');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder).filter((name) => !name.includes('.expected.'));

interface Extracted {
  name: string;
  block_activities: string[];
  safe_activities: string[];
  sources: { page: number; quote: string; kind: string }[];
  source: { page: number; quote: string };
}

async function extract(
  bytes: Buffer,
  { on = service, name = 'policy.pdf' }: { on?: TestService; name?: string } = {},
) {
  const form = new FormData();
  form.append('file', new File([Uint8Array.from(bytes)], name));
  return on.call('POST', '/api/policy_extraction', { as: on.tokens.member, form });
}

const binding = (policies: Extracted[]) =>
  policies.flatMap(({ sources }) => sources.filter(({ kind }) => kind !== 'permission'));

test('what a sentence says to be forbidden is blocked with its conditions, and what it allows is not', async () => {
  const text = [
    'Gifts',
    '',
    'Gifts from suppliers are prohibited, but meals during visits are allowed.',
    'In the showroom, photographs of customers are not permitted.',
    'No discounts are allowed without approval.',
    "Cash above 500 euros isn't permitted unless a manager has agreed.",
    'Paying by invoice is permitted; paying in shares is forbidden.',
  ].join('\n');
  const { status, body } = await extract(setDocument(text, 12));
  assert.equal(status, 200, JSON.stringify(body));
  const policies: Extracted[] = body.policies;
  assert.deepEqual(
    policies.flatMap(({ block_activities: block }) => block),
    [
      'gifts from suppliers',
      'photographs of customers in the showroom',
      'discounts without approval',
      'cash above 500 euros',
      'paying in shares',
    ],
  );
  assert.deepEqual(
    policies.flatMap(({ safe_activities: safe }) => safe),
    ['meals during visits', 'cash above 500 euros, when a manager has agreed', 'paying by invoice'],
  );
  assert.ok(policies.every(({ sources }) => sources.every(({ kind }) => kind === 'prohibition')));
});

/**
 * Documents written as rules, with "must" and "never"; the others are written in everyday language, where more is
 * missed.
 */
const writtenAsRules = new Set([
  'access.txt',
  'agents.md',
  'assistants-at-work.md',
  'bank-chat.txt',
  'clinic.md',
  'refunds.md',
  'travel.txt',
]);

test('requirements and prohibitions of fourteen documents are found, each with its page', async (t) => {
  const all = { wanted: 0, found: 0, statements: 0, extra: 0 };
  const plain = { wanted: 0, found: 0 };
  for (const name of names) {
    const expected = read(name.replace(/\.\w+$/, '.expected.txt'))
      .trim()
      .split('\n');
    const { status, body } = await extract(setDocument(read(name), 12), { name: `${name}.pdf` });
    assert.equal(status, 200, JSON.stringify(body));
    const quotes = binding(body.policies).map(({ quote }) => quote.toLowerCase());
    const missed = expected.filter((part) => !quotes.some((quote) => quote.includes(part.toLowerCase())));
    const others = quotes.filter((quote) => !expected.some((part) => quote.includes(part.toLowerCase())));
    for (const part of missed) t.diagnostic(`${name} missed: ${part}`);
    for (const quote of others) t.diagnostic(`${name} extra: ${quote}`);
    t.diagnostic(`${name}: ${expected.length - missed.length} of ${expected.length} found`);
    all.wanted += expected.length;
    all.found += expected.length - missed.length;
    if (writtenAsRules.has(name)) {
      plain.wanted += expected.length;
      plain.found += expected.length - missed.length;
    }
    all.statements += quotes.length;
    all.extra += others.length;
  }
  t.diagnostic(
    `${all.found} of ${all.wanted} found, ${all.wanted - all.found} missed; ${all.extra} of ${all.statements} statements are none`,
  );
  assert.equal(names.length, 14);
  assert.ok(plain.found / plain.wanted >= 0.9, `${plain.found} of ${plain.wanted} written as rules`);
  assert.ok(all.found / all.wanted >= 0.85);
  assert.ok(all.extra / all.statements <= 0.1);
});

const saved = async (on: TestService, body: object) =>
  on.call('POST', '/api/policy_groups', { as: on.tokens.member, body });

test('the returned group is not saved; saved unchanged, it judges texts', async () => {
  const { body } = await extract(setDocument(read('refunds.md')), { name: 'refunds_2026.pdf' });
  assert.deepEqual(
    [body.group_uuid, body.version, body.created_at, body.threshold, body.strictness_level],
    [null, null, null, 0.5, 'medium'],
  );
  assert.deepEqual(
    [body.name, body.description, body.extraction],
    [
      'Refund and returns policy',
      'Extracted from refunds_2026.pdf.',
      { engine: 'embedded', pages: 2, notes: [] },
    ],
  );
  const [rules, ...others] = body.policies as Extracted[];
  assert.deepEqual([rules?.name, others], ['Rules', []]);
  assert.ok(rules?.block_activities.includes('sending payment links by text message'));
  assert.ok(rules?.safe_activities.includes('store credit offered instead of money'));
  assert.deepEqual(rules?.source, rules?.sources[0]);
  const list = await service.call('GET', '/api/policy_groups', { as: service.tokens.member });
  assert.ok(!list.body.policy_groups.some(({ name }: { name: string }) => name === body.name));

  const { status, body: group } = await saved(service, body);
  assert.equal(status, 201, JSON.stringify(group));
  const tested = await service.call('POST', `/api/policy_groups/${group.group_uuid}/test`, {
    as: service.tokens.member,
    body: { text: 'Sending payment links by text message.' },
  });
  assert.equal(tested.body.flagged, true);
});

test('each quote has its page number, also when text continues over a page break', async () => {
  const filler =
    'The store has nine floors and a café with a view over the harbour and the old town. '.repeat(6);
  const { body } = await extract(
    setDocument(
      `# A\n\n${filler}\n\nAgents must not sell tickets twice.\n\n# B\n\n${filler}\n\n${filler} Staff shall lock the door.`,
      9,
    ),
  );
  const pages = binding(body.policies).map(({ quote, page }) => [quote, page]);
  assert.deepEqual(pages, [
    ['Agents must not sell tickets twice.', 1],
    ['Staff shall lock the door.', 3],
  ]);
});

test('an unusable PDF is refused with the reason', async () => {
  const refused: [bytes: Buffer, detail: RegExp][] = [
    [encryptedPdf(), /encrypted/],
    [scannedPdf(), /no text: its pages are scanned images/],
    [Buffer.from('MZ no PDF'), /broken/],
    [Buffer.alloc(0), /broken|empty/],
    [makePdf(['The sky is blue over the bay.']), /no obligation and no prohibition/],
  ];
  for (const [bytes, detail] of refused) {
    const { status, body } = await extract(bytes);
    assert.equal(status, 422, JSON.stringify(body));
    assert.match(body.detail, /'file'/);
    assert.match(body.detail, detail);
  }
  const { tokens, keys, call } = service;
  const form = new FormData();
  form.append('file', 'not a file');
  assert.equal((await call('POST', '/api/policy_extraction', { as: tokens.admin, form })).status, 422);
  const none = new FormData();
  none.append('other', 'x');
  assert.equal((await call('POST', '/api/policy_extraction', { as: tokens.admin, form: none })).status, 400);
  assert.equal((await call('POST', '/api/policy_extraction', { form: none })).status, 401);
  assert.equal((await call('POST', '/api/policy_extraction', { key: keys.admin, form: none })).status, 401);
  assert.equal((await call('POST', '/api/policy_extraction', { as: tokens.admin, body: {} })).status, 415);
});

test('the result has at most as many policies as a group allows, each within its limits and with a unique name', async () => {
  const sections = Array.from(
    { length: 230 },
    (_, i) => `# Section ${i % 210}\n\nAgents must not touch thing number ${i}.`,
  );
  const long = `# Long\n\n${Array.from({ length: 250 }, (_, i) => `Never open box ${i}.`).join(' ')}`;
  const { status, body } = await extract(
    setDocument([long, '# __proto__\n\nNever do it twice.', ...sections].join('\n\n')),
  );
  assert.equal(status, 200);
  assert.equal(body.policies.length, 200);
  assert.match(body.extraction.notes[0], /14 policies are left out/);
  assert.equal((await saved(service, body)).status, 201);
});

/** A model that extracts this, for any input. */
const reading = (policies: object[]) => ({ always: { reply: JSON.stringify({ policies }) } });

const withModel = async (script: object) => {
  const model = await startScriptedModel(script);
  const env = { BULWARK_LLM_BASE_URL: model.url, BULWARK_LLM_MODEL: 'scripted' };
  const on = await openTestService({ env });
  return {
    on,
    model,
    async [Symbol.asyncDispose]() {
      await on[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
};

test('a language model words the policies; invented ones are dropped, and ones it missed are kept', async () => {
  const policy = (name: string, quote: string, page = 1) => ({
    name,
    description: `About ${name}.`,
    block_activities: [`breaking ${name}`],
    safe_activities: [],
    quotes: [{ page, quote, kind: 'prohibition' }],
  });
  await using asked = await withModel(
    reading([
      policy('Gift cards', 'refunding GIFT  cards', 7),
      policy('Invented', 'Agents must never eat lunch at their desks.'),
      policy('No quote at all', ''),
    ]),
  );
  const { body } = await extract(setDocument(read('refunds.md')), { on: asked.on });
  assert.equal(body.extraction.engine, 'language_model');
  const policies = body.policies as Extracted[];
  assert.deepEqual(
    policies.map(({ name }) => name),
    ['Gift cards', 'Rules'],
  );
  const asking = (await extractTold(setDocument(read('refunds.md')), asked.on)).filter(
    ({ data }) => data.step === 'questions',
  );
  assert.deepEqual(
    asking.map(({ data }) => [data.done, data.total]),
    [
      [0, 1],
      [1, 1],
    ],
  );
  assert.equal(policies[0]?.source.page, 1, 'the actual page of the quote, not the one that the model names');
  assert.ok(policies[1]?.block_activities.includes('sending payment links by text message'));
  const shown = asked.model.stats.requests.find(({ messages }) =>
    messages[1]?.content.includes('Refunds over 500'),
  );
  assert.match(shown?.messages[1]?.content ?? '', /<<<DATA [0-9a-f]{32}>>>/);
});

test('when the model fails, the embedded engine extracts the policies, and the response says so', async () => {
  await using asked = await withModel({ always: { status: 500 } });
  const { status, body } = await extract(setDocument(read('clinic.md')), { on: asked.on });
  assert.equal(status, 200);
  assert.equal(body.extraction.engine, 'embedded');
  assert.match(body.extraction.notes[0], /did not answer/);
  assert.equal(binding(body.policies).length, 10);
});

test('what a model read before it failed is used, and the response says how many pages it did not read', async () => {
  const section = (subject: string) =>
    `# About ${subject}\n\n${`Agents must not give ${subject} away to anybody.\n\n`.repeat(220)}`;
  const policy = {
    name: 'Lemons',
    description: 'Lemons are kept.',
    block_activities: ['giving lemons away'],
    safe_activities: [],
    quotes: [{ page: 1, quote: 'Agents must not give lemons away to anybody.', kind: 'prohibition' }],
  };
  await using asked = await withModel({
    rules: [{ when: { user: 'zebras' }, do: { refuse: 'text' } }],
    always: { reply: JSON.stringify({ policies: [policy] }) },
  });
  const { body } = await extract(setDocument(section('lemons') + section('zebras')), { on: asked.on });
  assert.equal(body.extraction.engine, 'language_model');
  assert.match(body.extraction.notes[0], /did not read \d+ of the pages/);
  const policies = body.policies as Extracted[];
  assert.equal(policies[0]?.name, 'Lemons');
  assert.ok(
    policies.some(({ name }) => name.includes('zebras')),
    'the embedded engine read the rest',
  );
});

interface Said {
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- events of every shape.
  readonly data: any;
}

async function extractTold(bytes: Buffer, on: TestService = service): Promise<Said[]> {
  const form = new FormData();
  form.append('file', new File([Uint8Array.from(bytes)], 'policy.pdf'));
  const { status, body, headers } = await on.call('POST', '/api/policy_extraction/stream', {
    as: on.tokens.member,
    form,
  });
  assert.equal(status, 200);
  assert.match(String(headers['content-type']), /^text\/event-stream/);
  return String(body)
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) as unknown };
    });
}

test('progress is streamed page by page, followed by the group; an error is sent as an event', async () => {
  const document = setDocument(read('clinic.md'), 12);
  const { body: group } = await extract(document);
  const said = await extractTold(document);
  const pages = group.extraction.pages as number;
  assert.ok(pages > 1);
  assert.deepEqual(
    said.slice(0, -1),
    Array.from({ length: pages }, (_, i) => ({
      event: 'progress',
      data: { step: 'pages', done: i + 1, total: pages },
    })),
  );
  assert.deepEqual(said.at(-1), { event: 'result', data: group });
  const refused = (await extractTold(scannedPdf())).at(-1);
  assert.equal(refused?.event, 'error');
  assert.equal(refused.data.status, 422);
  assert.match(refused.data.detail, /no text/);
});
