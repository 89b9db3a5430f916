/** A session's steps read with what the trace before has in common are those that a reading of all of them gives. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createReadSteps, readSteps } from './read-steps.ts';
import type { WireStep } from './trace-step.ts';

const stepOf = (toolName: string): WireStep => ({
  role: 'agent',
  metadata: { tool_name: toolName, tool_params: { of: toolName } },
});
const steps = Array.from({ length: 12 }, (_, at) => stepOf(`tool_${at}`));

test('traces that grow, change, lose their beginning or take turns are read as they stand', () => {
  const trace = fc.array(fc.constantFrom(...steps), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b'), trace), { maxLength: 12 }), (asked) => {
      const read = createReadSteps();
      for (const [session, sent] of asked) {
        const expected = readSteps(session, sent);
        const found = read(session, sent);
        assert.equal(found.length, expected.length);
        // The very objects: the engine keeps with them what it found out.
        assert.ok(found.every((step, at) => step === expected[at]));
      }
    }),
  );
});

test('what is read again for a longer trace leaves the shorter one as it was', () => {
  const read = createReadSteps();
  const short = read('a', steps.slice(0, 2));
  read('a', steps.slice(0, 5));
  assert.equal(short.length, 2);
});
