import { tryCases } from '../fixtures/try-cases.ts';

const closed =
  'Deny when it comes after an answer of "get_*" for the same "ticket" with a field "status" that is "closed".';
const told = (ticket: string, answer: unknown) => ['get_ticket', { ticket }, answer] as const;
const write = ['update_ticket', { ticket: 'T1' }] as const;
tryCases('the latest answer about the same thing counts', closed, [
  ['it says so', [told('T1', { status: 'closed' }), write], true],
  ['as JSON in a text', [told('T1', '{"status":"closed"}'), write], true],
  ['it says something else', [told('T1', { status: 'open' }), write], false],
  ['another thing', [told('T2', { status: 'closed' }), write], false],
  ['the later one', [told('T1', { status: 'closed' }), told('T1', { status: 'open' }), write], false],
  ['no answer', [write], false],
  ['no field', [told('T1', { state: 'closed' }), write], false],
  ['another tool', [['list_ticket', { ticket: 'T1' }, { status: 'closed' }], write], false],
  ['the call does not say which', [told('T1', { status: 'closed' }), ['update_ticket', {}]], false],
  ['half a JSON', [told('T1', '{"status":"closed"'), write], false],
]);
