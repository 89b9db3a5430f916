import { tryCases } from '../fixtures/try-cases.ts';

const closed = 'Deny when it updates and it concerns what is said to be "closed".';
const told = (answer: unknown) => ['get_ticket', { id: 'T-1' }, answer] as const;
const update = ['update_ticket', { id: 'T-1' }] as const;
tryCases('what is said to be so', closed, [
  ['an answer', [told({ status: 'closed' }), update], true],
  ['a flag', [told({ closed: true }), update], true],
  ['denied', [told({ closed: false }), update], false],
  ['another state', [told({ status: 'open' }), update], false],
  ['its opposite', [told({ status: 'not closed' }), update], false],
  ['nobody says', [update], false],
]);
tryCases('what may be so is not denied', 'Deny when it updates and it concerns what may be "closed".', [
  ['nobody says', [update], true],
  ['denied', [told({ closed: false }), update], false],
]);
