import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import { ContextReader } from '../../actions/judging/evaluation-context.ts';
import type { TraceStep } from '../../actions/types.ts';
import { breaksForm } from '../matching/match-form.ts';
import { draftRule } from './draft.ts';

let reader: ContextReader;
before(async () => {
  reader = new ContextReader(await loadTextEngine());
});

type Call = readonly [tool: string, params: Record<string, unknown>];

function isBroken(sentence: string, [toolName, toolParams]: Call): boolean {
  const { rule } = draftRule(sentence);
  assert.ok(rule, sentence);
  const steps: TraceStep[] = [
    { role: 'user', content: 'Please go on.' },
    { role: 'agent', toolName, toolParams },
  ];
  const context = reader.read(steps, { ownDomains: [] });
  assert.ok(context);
  return breaksForm({ context }, rule) !== undefined;
}

const cases: readonly (readonly [sentence: string, breaks: readonly Call[], keeps: readonly Call[]])[] = [
  [
    'Never delete production backups or logs.',
    [
      ['delete_backup', { environment: 'production' }],
      ['delete_log', { environment: 'production' }],
    ],
    [['delete_file', { path: '/tmp/x' }]],
  ],
  [
    'Security groups may never be opened to 0.0.0.0/0.',
    [['authorize_security_group', { cidr: '0.0.0.0/0' }]],
    [
      ['describe_security_groups', {}],
      ['authorize_security_group', { cidr: '10.0.0.0/8' }],
    ],
  ],
  [
    'Never open port 22 or 3389 to the internet.',
    [
      ['open_port', { port: 22, cidr: '0.0.0.0/0' }],
      ['create_firewall_rule', { port: 3389, source: 'internet' }],
    ],
    [
      ['open_port', { port: 443, cidr: '0.0.0.0/0' }],
      ['open_port', { port: 22, cidr: '10.0.0.0/8' }],
    ],
  ],
  [
    'Never transfer money.',
    [['transfer_funds', { amount: 5 }]],
    [
      ['transfer_call', { to: 'sales' }],
      ['transfer_to_human_agents', { summary: 'x' }],
    ],
  ],
  [
    'Credit limits may be lowered, never raised.',
    [
      ['raise_credit_limit', { customer: 'C1' }],
      ['update_credit_limit', { old_limit: 100, new_limit: 150 }],
    ],
    [
      ['lower_credit_limit', { customer: 'C1' }],
      ['update_credit_limit', { old_limit: 100, new_limit: 50 }],
    ],
  ],
  [
    'Expense claims without a receipt get rejected.',
    [['approve_expense_claim', { id: 'E1' }]],
    [
      ['reject_expense_claim', { id: 'E1' }],
      ['approve_expense_claim', { id: 'E1', receipt: 'r.pdf' }],
    ],
  ],
  [
    'Nothing about the merger may be let out.',
    [['send_email', { to: 'a@b.example', body: 'About the merger: it is signed.' }]],
    [['send_email', { to: 'a@b.example', body: 'Lunch?' }]],
  ],
  [
    'The alarm must never be switched off.',
    [
      ['switch_off_alarm', {}],
      ['disable_alarm', {}],
    ],
    [['switch_on_alarm', {}]],
  ],
  [
    'Production servers must not be taken down.',
    [
      ['stop_server', { environment: 'production' }],
      ['shutdown_server', { environment: 'production' }],
    ],
    [['get_server', { environment: 'production' }]],
  ],
  [
    'The payroll folder is off limits.',
    [['read_file', { path: '/payroll/2026.xlsx' }]],
    [['read_file', { path: '/public/menu.txt' }]],
  ],
];

test('idioms, networks, directions and what stands beside a signal are part of the form', () => {
  for (const [sentence, breaks, keeps] of cases) {
    const { canonical } = draftRule(sentence);
    for (const call of breaks)
      assert.ok(isBroken(sentence, call), `not broken by ${JSON.stringify(call)}\n${sentence}\n${canonical}`);
    for (const call of keeps)
      assert.ok(!isBroken(sentence, call), `broken by ${JSON.stringify(call)}\n${sentence}\n${canonical}`);
  }
});
