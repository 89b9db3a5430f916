/** Readers of texts that stand anywhere in the trace of an agent, judged by the default set and four rules. */
import { createActionEngine } from '#engine/actions/engine.ts';
import type { ActionRule, TraceStep } from '#engine/actions/types.ts';
import { defaultRules } from '#engine/rules/fixtures/default-rules.ts';
import { judgeByForm } from '#engine/rules/matching/judge-by-form.ts';
import { draftRule } from '#engine/rules/reading/draft.ts';
import { loadTextEngine } from '#engine/text/engine.ts';

const engine = createActionEngine(await loadTextEngine(), judgeByForm);
const own = [
  'Never delete files outside /srv/desk.',
  'Never send emails to addresses outside corp.com.',
  'Never transfer more than 1000 EUR.',
  'Nurses may only read the tables patients (patient_id, name) and vitals.',
].map((description, at): ActionRule => {
  const { rule: form, compiled } = draftRule(description);
  return { ruleId: `rul_${at}`, description, severity: 'High', form, compiled };
});
const rules = [...defaultRules(), ...own];

const mail: TraceStep = { role: 'agent', toolName: 'send_email', toolParams: { to: 'a@b.com', body: 'hi' } };
const asked: TraceStep = { role: 'user', content: 'do it' };
const calling = (toolName: string, toolParams: Record<string, unknown>): TraceStep[] => [
  asked,
  { role: 'agent', toolName, toolParams },
];

/** Where in a trace a text may stand. */
const entrances: Readonly<Record<string, (text: string) => readonly TraceStep[]>> = {
  'turn of the user': (text) => [{ role: 'user', content: text }, mail],
  'turn of the agent': (text) => [asked, { role: 'agent', content: text }, asked, mail],
  'name of the tool': (text) => calling(text, { to: 'a@b.com' }),
  'name of an argument': (text) => calling('delete_file', { [text]: 'x' }),
  command: (text) => calling('run_shell', { command: text }),
  statement: (text) => calling('execute_sql', { query: `select ${text}` }),
  recipients: (text) => calling('send_email', { to: text, body: 'x' }),
  content: (text) => calling('send_email', { to: 'a@b.com', body: text }),
  path: (text) => calling('delete_file', { path: text }),
  amount: (text) => calling('transfer_money', { amount: text, to: 'bob' }),
  'many arguments': (text) => calling('send_email', { to: text.match(/.{1,4}/gs) ?? [], amount: 1 }),
  'output of a tool': (text) => [
    asked,
    { role: 'agent', toolName: 'read_file', toolParams: { path: '/a' }, toolOutput: text },
    mail,
  ],
};

/** The role that one of the rules is about. */
const asNurse = { known: { user: { id: 'u', roles: ['nurse'] } } };

let made = 0;

/** By the place of the text. Each text ends in a number of its own, since much is remembered of those met before. */
export const actionReaders: Readonly<Record<string, (text: string) => unknown>> = Object.fromEntries(
  Object.entries(entrances).map(([place, stepsOf]) => [
    `action, ${place}`,
    (text: string) => engine.evaluate(stepsOf(`${text.slice(0, -8)} ${made++}`), rules, asNurse),
  ]),
);
