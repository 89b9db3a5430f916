import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '../../../../test/fixtures/pdf/make-pdf.ts';
import { openTestService } from '../fixtures/service.ts';
import { adminKey } from '../fixtures/service-key.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;
const fromText = '/api/v1/policies/extract-rules-async';
const fromFiles = '/api/v1/policies/extract-rules-from-pdf-async';

const formOf = (fields: Record<string, string>, files: Record<string, string | Buffer> = {}): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) form.append('files', new File([content], name));
  return form;
};
const ended = async (jobId: string) => {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(30)) {
    const { status, body } = await call('GET', `/api/v1/policies/extraction-jobs/${jobId}`, { as });
    assert.equal(status, 200);
    if (body.status !== 'pending') return body;
  }
  throw new Error('The job did not end.');
};
const descriptions = (rules: Record<string, { description: string }>) =>
  Object.values(rules).map(({ description }) => description);

const policy = `Refunds

Agents must verify the order before they issue a refund. Our store opened in 1994.
Refunds over 500 dollars should be approved by a manager. Never share card numbers.`;

test('sentences that say that something is forbidden are rules, and those that allow are none', async () => {
  const text = [
    'Forwarding of case files to private addresses is strictly prohibited.',
    'No payments to new suppliers are permitted without a second signature.',
    'Deleting backups isn’t allowed while an audit is open.',
    'Harassment is not tolerated.',
    'Customer records are not to be exported.',
    'Invoices under 20 euros are permitted.',
    'It is not forbidden to work from home.',
    'No exceptions are permitted.',
  ].join('\n\n');
  const { body } = await call('POST', fromText, { as, form: formOf({ text }) });
  const { result } = await ended(body.job_id);
  assert.deepEqual(descriptions(result.rules), text.split('\n\n').slice(0, 5));
  assert.deepEqual(
    Object.values(result.rules as Record<string, { severity: string }>).map(({ severity }) => severity),
    Array.from({ length: 5 }, () => 'High'),
  );
});

test('a text becomes rules, which can be saved as they are', async () => {
  const { status, body } = await call('POST', fromText, { as, form: formOf({ text: policy }) });
  assert.equal(status, 200);
  assert.deepEqual([Object.keys(body).sort(), body.status], [['job_id', 'status'], 'pending']);
  const job = await ended(body.job_id);
  const { result } = job;
  assert.deepEqual([job.id, job.kind], [body.job_id, 'rule_extraction']);
  assert.ok(job.started_at !== null && job.finished_at !== null);
  const events = await call('GET', `/api/v1/policies/extraction-jobs/${body.job_id}/events`, { as });
  assert.equal(events.status, 200);
  assert.match(String(events.body), /event: progress\ndata: .*"status":"completed"/);
  const missing = await call('GET', '/api/v1/policies/extraction-jobs/none/events', { as });
  assert.equal(missing.status, 404);
  assert.deepEqual(
    [job.status, result.policy_name, result.category],
    ['completed', 'Untitled Policy', 'User Rules'],
  );
  assert.deepEqual(result.rule_count, 3);
  assert.deepEqual([result.total_files, result.successful_files, result.failed_files], [1, 1, 0]);
  assert.deepEqual(
    Object.values(result.rules),
    [
      ['Agents must verify the order before they issue a refund.', 'Medium'],
      ['Refunds over 500 dollars should be approved by a manager.', 'Low'],
      ['Never share card numbers.', 'High'],
    ].map(([description, severity]) => ({ description, severity, source: description })),
  );
  const saved = await call('POST', '/api/v1/policies/policy', {
    as,
    body: { name: result.policy_name, rules: result.rules },
  });
  assert.equal(saved.status, 200);
  const left = await service.db.query('select from action_guard.extraction_inputs');
  assert.equal(left.length, 0);
});

test('several files of the three types, some of which fail alone', async () => {
  const files = {
    'one.pdf': makePdf(['Agents must never delete customer records.', 'They are kept for ten years.']),
    'two.TXT': 'Always encrypt backups.',
    'three.md': '# Rules\n\n- Do not post passwords in chats.\n\nAlways encrypt backups.',
    'broken.pdf': 'no pdf at all',
    'empty.txt': '',
    'story.txt': 'Once upon a time there was a queen who loved pears.',
    'binary.txt': Buffer.from([65, 0, 66]),
  };
  const form = formOf({ policy_name: 'Merged', category: 'Legal' }, files);
  const { status, body } = await call('POST', fromFiles, { key: await adminKey(service), form });
  assert.equal(status, 200, JSON.stringify(body));
  const { result } = await ended(body.job_id);
  assert.deepEqual([result.policy_name, result.category], ['Merged', 'Legal']);
  assert.deepEqual(descriptions(result.rules), [
    'Agents must never delete customer records.',
    'Always encrypt backups.',
    'Do not post passwords in chats.',
  ]);
  assert.deepEqual([result.total_files, result.successful_files, result.failed_files], [7, 3, 4]);
  assert.deepEqual(
    result.file_errors.map(({ file }: { file: string }) => file),
    ['broken.pdf', 'empty.txt', 'story.txt', 'binary.txt'],
  );
});

test('a job that finds nothing has failed, and says so', async () => {
  const { body } = await call('POST', fromText, {
    as,
    form: formOf({ text: 'The sky is blue over the bay.' }),
  });
  const job = await ended(body.job_id);
  assert.equal(job.status, 'failed');
  assert.match(job.error, /^No valid content could be extracted from any file\./);
  assert.equal('result' in job, false);
});

test('a file that is too long fails alone', async () => {
  const form = formOf({}, { 'long.txt': 'a '.repeat(1_000_001), 'short.txt': 'Never share card numbers.' });
  const { body } = await call('POST', fromFiles, { as, form });
  const { result } = await ended(body.job_id);
  assert.deepEqual(descriptions(result.rules), ['Never share card numbers.']);
  const { done, total } = (await ended(body.job_id)).progress;
  assert.deepEqual([done, total], [2, 2]);
  assert.match(result.file_errors[0].error, /more than 2000000 characters/);
});

test('what is not such a form is refused', async () => {
  const refused: [url: string, form: FormData, status: number, detail: RegExp][] = [
    [fromText, formOf({}), 400, /'text' is required/],
    [fromText, formOf({ text: '' }), 422, /'text'/],
    [fromText, formOf({ text: 'a\0' }), 422, /NUL/],
    [fromText, formOf({ text: 'x', policy_name: '' }), 422, /'policy_name'/],
    [fromFiles, formOf({ policy_name: 'x' }), 400, /'files' is required/],
    [fromFiles, formOf({ files: 'text' }), 422, /'files/],
    [fromFiles, formOf({}, { 'a.docx': 'x' }), 422, /"a\.docx".*\.pdf, \.txt, \.md/],
    [
      fromFiles,
      formOf({}, Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`${i}.txt`, 'x']))),
      422,
      /at most 50/,
    ],
  ];
  for (const [url, form, status, detail] of refused) {
    const answer = await call('POST', url, { as, form });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  assert.equal((await call('POST', fromText, { as, body: { text: 'x' } })).status, 415);
  assert.equal(
    (await call('POST', '/api/v1/policies/policy', { as, form: formOf({ name: 'x' }) })).status,
    415,
  );
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  assert.equal((await call('POST', fromText, { as, raw: '--y\r\nbroken', headers })).status, 400);
  assert.equal((await call('POST', fromText, { form: formOf({ text: 'x' }) })).status, 401);
});

test('a job is its maker’s and the tenant’s administrator’s', async () => {
  const { body } = await call('POST', fromText, { as: tokens.member, form: formOf({ text: policy }) });
  const path = `/api/v1/policies/extraction-jobs/${body.job_id}`;
  const statuses = [];
  for (const who of [tokens.member, tokens.admin, tokens.stranger])
    statuses.push((await call('GET', path, { as: who })).status);
  assert.deepEqual(statuses, [200, 200, 404]);
  assert.equal((await call('GET', '/api/v1/policies/extraction-jobs/none', { as })).status, 404);
});

test('a form that is sent in another way is told which way', async () => {
  const response = await service.guard.app.inject({
    method: 'POST',
    url: fromText,
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'text=a',
  });
  assert.equal(response.statusCode, 415);
  assert.match(response.body, /multipart\/form-data/);
});
