import type { Committed, OpenTest } from './store.ts';
import { resultOf, unanswered, type Unit } from './unit.ts';

/** The end of a test without another attempt. */
export const endOf = (test: OpenTest, units: readonly Unit[]): Committed => ({
  number: test.number,
  attempt: units.length,
  unit:
    units.at(-1) ?? unanswered({ key: 'none', messages: [], parameters: {} }, 'There was nothing to send.'),
  requests: 0,
  latencyMs: 0,
  sentAt: new Date(0),
  result: resultOf(test, units),
});
