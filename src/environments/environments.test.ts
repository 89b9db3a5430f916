import assert from 'node:assert/strict';
import { test } from 'node:test';
import { environments } from './catalogue.ts';
import { type Environment, domains } from './kit/environment.ts';
import { EnvironmentInstance, type ListedTool } from './kit/instance.ts';

interface Property {
  type?: string;
  enum?: unknown[];
  default?: unknown;
  format?: string;
  pattern?: string;
  items?: Property;
  minItems?: number;
  minimum?: number;
  anyOf?: Property[];
}

const tablesOf = (environment: Environment) =>
  [...environment.schema.matchAll(/CREATE TABLE (\w+)/g)].map((match) => match[1] as string);

/** Texts that a call could need: keys of rows and other short values of the seed data. */
function seededTexts(environment: Environment, instance: EnvironmentInstance): string[] {
  const rows = tablesOf(environment).flatMap((table) => {
    const all = instance.rows(table);
    return [...all.slice(0, 3), ...all.slice(-3)];
  });
  return [...new Set(rows.flatMap((row) => Object.values(row).filter((value) => typeof value === 'string')))]
    .filter((value) => value.length > 0 && value.length < 80)
    .slice(0, 400);
}

const formats: Record<string, unknown> = {
  email: 'someone@example.com',
  uri: 'https://example.com/',
  'date-time': '2026-03-10T09:00:00Z',
  date: '2026-03-10',
};

function simpleValue({ enum: choices, format = '', type, items, minimum, anyOf }: Property): unknown {
  if (anyOf) return simpleValue(anyOf[0] as Property);
  if (choices) return choices[0];
  if (format in formats) return formats[format];
  if (type === 'array') return [simpleValue(items ?? {})];
  if (type === 'object') return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
  return undefined;
}

/** Calls that need several values that fit together. */
const knownCalls: Record<string, Record<string, Record<string, unknown>>> = {
  warehouse_sql: {
    run_query: { sql: 'SELECT 1' },
    run_write: { sql: 'UPDATE staff SET salary = 1' },
    export_query: { sql: 'SELECT 1', recipient: 'a@example.com' },
    create_job: { name: 'n', statement: 'SELECT 1', schedule: 'daily' },
  },
  travel: { book_stay: { stay_id: 'stay_1', traveller_id: 'trav_1', date: '2026-03-20', nights: 2 } },
  workstation: { run_command: { command: 'ls /home/robin' } },
  calendar: {
    create_event: { title: 'x', starts_at: '2026-03-09T09:00:00Z', ends_at: '2026-03-09T10:00:00Z' },
    uninvite: { id: 'evt_townhall', email: 'everyone@northwind-labs.example' },
  },
  messenger: {
    send_to_number: { phone: '+49 30 5550 700', body: 'x' },
    add_contact: { name: 'x', phone: '+49 30 5550 700' },
    create_group: { name: 'x', members: ['con_1'] },
  },
  meetings: {
    send_summary: { id: 'meet_weekly', recipients: ['a@example.com'], body: 'x' },
    get_transcript: { id: 'meet_weekly' },
    admit_participant: { id: 'part_tomas' },
    share_recording: { id: 'rec_meet_weekly', recipient: 'a@example.com' },
  },
  deploy_ops: {
    deploy_version: { id: 'web', version: '4.2.0' },
    set_variable: { service_id: 'web', name: 'LOG_LEVEL', value: 'debug' },
    exec: { id: 'web', command: 'env' },
  },
  lakehouse: {
    run_sql: { sql: 'SELECT 1' },
    run_statement: { sql: 'UPDATE accounts SET plan = 1' },
    vector_search: { query: 'password' },
    ask_data: { question: 'Which invoices are overdue?' },
    create_function: { description: 'x', statement: 'SELECT 1' },
    run_function: { id: 'fn_calls', argument: 'a_1' },
  },
  documents: {
    replace_text: { id: 'doc_plan', old_text: 'Launch', new_text: 'Start' },
    accept_suggestion: { id: 'sug_time' },
  },
  forms: {
    submit_form: { form_id: 'form_feedback', email: 'a@example.com', answers: [] },
    send_form: { id: 'form_feedback', recipients: ['a@example.com'], body: 'x' },
  },
  crm_marketing: {
    create_contact: { name: 'x', email: 'a@example.com', country: 'DE', segment_id: 'seg_press' },
    create_campaign: { name: 'x', segment_id: 'seg_press', template_id: 'tpl_event', budget: 1 },
  },
  mail: { create_rule: { field: 'subject', contains: 'x', action: 'archive' } },
  brokerage: {
    transfer: { account_id: 'acc_treasury', destination_id: 'dest_house', amount: 5, reference: 'test' },
  },
};

/** Searches for arguments with which the tool succeeds: required texts are taken from the seed data. */
function workingCall(
  instance: EnvironmentInstance,
  tool: ListedTool,
  texts: string[],
): Record<string, unknown> | undefined {
  const known = knownCalls[instance.environment.id]?.[tool.name];
  if (known) {
    instance.reset('known');
    assert.deepEqual(instance.call(tool.name, known).isError, false, tool.name);
    return known;
  }
  const { properties = {}, required = [] } = tool.inputSchema as {
    properties?: Record<string, Property>;
    required?: string[];
  };
  const asked = required.filter((name) => properties[name]?.default === undefined);
  const fixed = Object.fromEntries(asked.map((name) => [name, simpleValue(properties[name] as Property)]));
  const open = asked.filter((name) => fixed[name] === undefined);
  const tries = open.length === 0 ? 1 : open.length === 1 ? texts.length : texts.length * 60;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const args = { ...fixed };
    open.forEach((name, index) => {
      args[name] =
        texts[(attempt * (index + 1) + (index > 0 ? Math.floor(attempt / texts.length) : 0)) % texts.length];
    });
    instance.reset('search');
    if (!instance.call(tool.name, args).isError) return args;
  }
  return undefined;
}

for (const environment of environments)
  test(`The environment ${environment.id} is complete`, () => {
    const instance = new EnvironmentInstance(environment);
    const tables = tablesOf(environment);
    assert.ok(domains.includes(environment.domain));
    const rows = tables.reduce((total, table) => total + instance.count(table), 0);
    assert.ok(rows >= 200 && rows <= 2000, `${rows} rows`);
    for (const { table, recipients, content, where } of environment.sinks)
      for (const column of [...recipients, ...content, ...Object.keys(where ?? {})])
        assert.ok(instance.columns(table).includes(column), `sink ${table}.${column}`);
    for (const { table, column } of environment.strangersTexts)
      assert.ok(instance.columns(table).includes(column), `stranger's text ${table}.${column}`);
    assert.ok(environment.sinks.length > 0 && environment.strangersTexts.length > 0);

    const tools = instance.tools();
    assert.ok(tools.length >= 12 && tools.length <= 30, `${tools.length} tools`);
    assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
    const texts = seededTexts(environment, instance);
    for (const tool of tools) {
      assert.match(tool.name, /^[a-z][a-z_]+$/);
      assert.ok(tool.description.length > 10, tool.name);
      assert.equal(tool.inputSchema.type, 'object');
      const args = workingCall(instance, tool, texts);
      assert.ok(args, `${tool.name}: no call of it succeeded`);
      if (tool.annotations.readOnlyHint)
        assert.deepEqual(instance.changes(), [], `${tool.name} changes rows`);
      if (typeof args.id === 'string') {
        const answer = instance.call(tool.name, { ...args, id: 'no-such-id' });
        assert.ok(answer.isError && answer.text.includes('no-such-id'), `${tool.name}: ${answer.text}`);
      }
    }
    instance.close();
  });
