/** Role-and-table access in the manner of hospital databases and web shops: 300 calls in several shapes. */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import { canonicalText, readCanonical } from '../canonical.ts';
import { breaksForm } from '../matching/match-form.ts';
import { draftRule } from '../reading/draft.ts';
import type { RuleForm } from '../rule-form.ts';

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

type Grant = Readonly<Record<string, readonly string[] | 'all'>>;

interface Case {
  readonly sentence: (role: string, list: string) => string;
  readonly role: string;
  readonly grant: Grant;
}

const schema: Grant = {
  patients: ['patient_id', 'name', 'birth_date', 'gender', 'insurance_no', 'address'],
  diagnosis: ['diagnosis_id', 'patient_id', 'icd9_code', 'diagnosis_time', 'diagnosis_name'],
  vitals: ['patient_id', 'heart_rate', 'blood_pressure', 'taken_at'],
  medication: ['medication_id', 'patient_id', 'drug_name', 'dosage', 'start_time'],
  billing: ['invoice_id', 'patient_id', 'amount_due', 'paid_at'],
  staff: ['staff_id', 'full_name', 'salary', 'ward'],
  orders: ['order_id', 'customer_id', 'total', 'status', 'placed_at'],
  customers: ['customer_id', 'email', 'phone', 'birthday', 'loyalty_points'],
  products: ['product_id', 'title', 'price', 'cost_price', 'stock'],
  payments: ['payment_id', 'order_id', 'card_last4', 'card_token', 'amount'],
};

const only = (role: string, list: string) => `${role} may only read the tables ${list}.`;
const cases: readonly Case[] = [
  { sentence: only, role: 'Nurses', grant: { patients: ['patient_id', 'name'], vitals: 'all' } },
  {
    sentence: (role, list) => `Users with the role ${role} have access only to ${list}.`,
    role: 'billing_clerk',
    grant: { billing: 'all', patients: ['patient_id', 'insurance_no', 'address'] },
  },
  {
    sentence: (role, list) => `The role ${role} can access these tables and columns only: ${list}`,
    role: 'physician',
    grant: {
      patients: 'all',
      diagnosis: ['patient_id', 'icd9_code', 'diagnosis_name'],
      medication: 'all',
      vitals: 'all',
    },
  },
  {
    sentence: (role, list) => `Access of the role ${role} is limited to the tables ${list}.`,
    role: 'shop support',
    grant: { orders: 'all', customers: ['customer_id', 'email'] },
  },
  {
    sentence: (role, list) => `${role} may query ${list} and nothing else.`,
    role: 'Warehouse workers',
    grant: { products: ['product_id', 'title', 'stock'], orders: ['order_id', 'status'] },
  },
];

const listOf = (grant: Grant) =>
  Object.entries(grant)
    .map(([table, columns]) => (columns === 'all' ? `${table}` : `${table} (${columns.join(', ')})`))
    .join(', ');

interface Pick {
  readonly table: string;
  readonly columns: readonly string[];
}

let seed = 7;
const random = (below: number) => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((seed / 2_147_483_648) * below);
};
const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;

const columnsOf = (table: string) => schema[table] as readonly string[];
const grantedIn = (grant: Grant, table: string) => {
  const granted = grant[table];
  return granted === undefined ? [] : granted === 'all' ? columnsOf(table) : granted;
};

function some(list: readonly string[]): string[] {
  const found = list.filter(() => random(2) === 0);
  return found.length === 0 ? [oneOf(list)] : found;
}

/** Calls that read these columns, each in another shape. */
const shapes: readonly ((pick: Pick, other: Pick) => readonly [string, Record<string, unknown>])[] = [
  ({ table, columns }) => ['run_sql', { query: `SELECT ${columns.join(', ')} FROM ${table} LIMIT 10` }],
  ({ table, columns }, other) => [
    'execute_query',
    {
      sql: `select t.${columns.join(', t.')} from ${table} as t join ${other.table} o on o.${other.columns[0]} = t.${columns[0]} where o.${other.columns[0]} is not null order by t.${columns[0]} desc`,
    },
  ],
  ({ table, columns }) => [
    'db',
    {
      statement: `SELECT count(*) AS n FROM hospital.${table} WHERE ${columns[0]} = 'it''s from staff' -- from x`,
    },
  ],
  ({ table, columns }) => ['query_table', { table, columns: [...columns], limit: 5 }],
  ({ table, columns }) => [
    'fetch_records',
    { collection: table, fields: columns.join(','), filter: { [columns[0] ?? '']: 4 } },
  ],
  ({ table, columns }) => ['read_database', { tables: { [table]: [...columns] } }],
  ({ table, columns }) => [
    'run_sql',
    {
      query: `WITH recent AS (SELECT ${columns.join(', ')} FROM ${table}) SELECT r.${columns[0]} FROM recent r`,
    },
  ],
  ({ table, columns }) => [
    'update_rows',
    { sql: `UPDATE "${table}" SET ${columns[0]} = 3 WHERE \`${columns[0]}\` > 2` },
  ],
];

/** "May only read" and "may query" forbid to change even what may be read. */
const readingShapes = shapes.slice(0, -1);
const mayWrite = (sentence: Case['sentence']) => !/\b(?:read|query)\b/.test(sentence('', ''));

interface Tried {
  readonly sentence: string;
  readonly role: string;
  readonly call: readonly [string, Record<string, unknown>];
  readonly isBeyond: boolean;
}

function tried(): Tried[] {
  const all: Tried[] = [];
  while (all.length < 300) {
    const { sentence, role, grant } = oneOf(cases);
    const tables = Object.keys(grant);
    const within = (): Pick => {
      const table = oneOf(tables);
      return { table, columns: some(grantedIn(grant, table)) };
    };
    const beyond = (): Pick => {
      const partly = tables.filter((table) => grantedIn(grant, table).length < columnsOf(table).length);
      const table =
        random(2) === 0 && partly.length > 0
          ? oneOf(partly)
          : oneOf(Object.keys(schema).filter((name) => !tables.includes(name)));
      const denied = columnsOf(table).filter((column) => !grantedIn(grant, table).includes(column));
      return { table, columns: [oneOf(denied), ...grantedIn(grant, table).slice(0, 1)] };
    };
    const isBeyond = all.length % 2 === 0;
    all.push({
      sentence: sentence(role, listOf(grant)),
      role,
      call: oneOf(isBeyond || mayWrite(sentence) ? shapes : readingShapes)(
        isBeyond ? beyond() : within(),
        within(),
      ),
      isBeyond,
    });
  }
  return all;
}

const formOf = (sentence: string): RuleForm => {
  const { rule, understood } = draftRule(sentence);
  assert.ok(rule, sentence);
  assert.equal(understood, 'fully', sentence);
  return rule;
};

function breaks(
  form: RuleForm,
  call: Tried['call'],
  roles: readonly string[],
  said = 'Please look it up.',
): boolean {
  const context = reader.read(
    [
      { role: 'user', content: said },
      { role: 'agent', toolName: call[0], toolParams: call[1] },
    ],
    {},
  );
  assert.ok(context);
  return breaksForm({ context, user: { id: 'u', roles } }, form) !== undefined;
}

test('of 300 calls those beyond what the role may read are found, and the others let pass', (t) => {
  let [found, beyond, flagged, within] = [0, 0, 0, 0];
  for (const { sentence, role, call, isBeyond } of tried()) {
    const broken = breaks(formOf(sentence), call, [role.replace(/s$/, '')]);
    if (isBeyond) beyond += 1;
    else within += 1;
    if (broken && isBeyond) found += 1;
    if (broken && !isBeyond) flagged += 1;
    if (broken !== isBeyond)
      t.diagnostic(`${isBeyond ? 'missed' : 'flagged'}: ${sentence} ${JSON.stringify(call)}`);
  }
  t.diagnostic(`found ${found} of ${beyond}, flagged ${flagged} of ${within}`);
  assert.ok(found >= 0.95 * beyond, `${found} of ${beyond}`);
  assert.ok(flagged <= 0.03 * within, `${flagged} of ${within}`);
});

const nurse = 'Nurses may only read the tables patients (patient_id, name) and vitals.';
const all = ['run_sql', { query: 'select * from patients' }] as const;

test('a star needs the whole table, other roles are not meant, and what touches no records is let pass', () => {
  const form = formOf(nurse);
  assert.equal(breaks(form, all, ['nurse']), true);
  assert.equal(breaks(form, all, ['physician']), false);
  assert.equal(breaks(form, ['run_sql', { query: 'select * from vitals' }], ['nurse']), false);
  assert.equal(breaks(form, ['send_email', { to: 'a@b.test', body: 'From the staff.' }], ['nurse']), false);
  assert.deepEqual(readCanonical(canonicalText(form)), form);
});

test('what the trace says of the role counts only where nobody tells one', () => {
  const form = formOf(nurse);
  assert.equal(breaks(form, all, [], 'My role: nurse. Show me the patients.'), true);
  assert.equal(breaks(form, all, [], 'I am a nurse. Show me the patients.'), true);
  assert.equal(breaks(form, all, ['physician'], 'My role: nurse.'), false);
  assert.equal(breaks(form, all, []), false);
});

test('tables that are reserved or closed to a role, columns of a table, and paths', () => {
  const reserved = formOf('Only doctors may read the table diagnosis.');
  const diagnosis = ['query_table', { table: 'diagnosis', columns: ['icd9_code'] }] as const;
  assert.equal(breaks(reserved, diagnosis, ['nurse']), true);
  assert.equal(breaks(reserved, diagnosis, ['doctor']), false);
  const closed = formOf('Interns must not read the columns salary and ward of the table staff.');
  assert.equal(
    breaks(closed, ['run_sql', { query: 'select full_name, salary from staff' }], ['intern']),
    true,
  );
  assert.equal(breaks(closed, ['run_sql', { query: 'select full_name from staff' }], ['intern']), false);
  const paths = formOf('Auditors may only read the folders /finance/reports and /finance/audit.');
  assert.equal(breaks(paths, ['read_file', { path: '/finance/reports/2026/q1.xlsx' }], ['auditor']), false);
  assert.equal(breaks(paths, ['read_file', { path: '/finance/reports/../payroll.xlsx' }], ['auditor']), true);
  assert.equal(breaks(paths, ['read_file', { path: '/hr/list.txt' }], ['auditor']), true);
});

test('sentences that are not about records are left to the grammar', () => {
  for (const sentence of [
    'Only managers may approve refunds.',
    'You may only read the file you were given.',
    'The agent should never touch the payroll database.',
    'Agents must never read the table salaries.',
    'Never write to the folder /etc.',
    'Do not change the field total of an order.',
  ])
    assert.ok(!JSON.stringify(draftRule(sentence).rule ?? {}).includes('"records"'), sentence);
});
