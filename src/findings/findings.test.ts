import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareFindings } from './comparison.ts';
import { type Observation, isSuppressed, withSuppressions } from './finding.ts';
import { withFingerprints } from './fingerprint.ts';
import {
  bySeverity,
  findSeverity,
  isAtLeast,
  oneStepDown,
  securityScores,
  severities,
  severityOfScore,
} from './severity.ts';

const observed = (startLine: number, snippet: string, more: Partial<Observation> = {}): Observation => ({
  rule: 'command-injection',
  title: 'Command injection',
  description: 'A parameter reaches a shell.',
  severity: 'high',
  confidence: 'high',
  location: { path: 'src/run.ts', startLine, startColumn: 3, snippet },
  tags: [],
  frameworks: [],
  ...more,
});

const prints = (observations: readonly Observation[]) =>
  withFingerprints(observations).map(({ fingerprint }) => fingerprint);

test('severities are ordered, map to score bands and accept the names of other tools', () => {
  assert.equal(findSeverity('INFORMATIONAL'), 'info');
  assert.equal(findSeverity(' Moderate '), 'medium');
  assert.equal(findSeverity('constructor'), undefined);
  assert.ok(isAtLeast('critical', 'high') && isAtLeast('high', 'high') && !isAtLeast('medium', 'high'));
  assert.deepEqual(severities.toReversed().toSorted(bySeverity), [...severities]);
  assert.deepEqual(severities.map(oneStepDown), ['high', 'medium', 'low', 'info', 'info']);
  for (const severity of severities) assert.equal(severityOfScore(securityScores[severity]), severity);
});

test('a fingerprint survives moved lines and changed indentation, and differs by code, rule, file and subject', () => {
  const [before] = prints([observed(10, '  exec(`git ${ref}`);')]);
  assert.equal(prints([observed(240, '\texec(`git   ${ref}`);\r\n')])[0], before);
  const others = [
    observed(10, 'exec(`git ${name}`);'),
    observed(10, 'exec(`git ${ref}`);', { rule: 'other' }),
    observed(10, 'exec(`git ${ref}`);', { subject: 'tool:log' }),
    observed(10, '', { location: { path: 'src/else.ts', startLine: 10, snippet: 'exec(`git ${ref}`);' } }),
  ];
  assert.equal(new Set([before, ...prints(others)]).size, 5);
});

test('moving characters between the parts of a fingerprint changes it', () => {
  const [first] = prints([observed(1, 'x', { rule: 'a', subject: 'bc' })]);
  const [second] = prints([observed(1, 'x', { rule: 'ab', subject: 'c' })]);
  assert.notEqual(first, second);
});

test('equal findings of a file get different fingerprints by position, whatever order they are listed in', () => {
  const lines = [observed(30, 'same'), observed(10, 'same'), observed(20, 'same')];
  const [third, first, second] = prints(lines);
  assert.equal(new Set([first, second, third]).size, 3);
  assert.deepEqual(prints([lines[1]!, lines[2]!, lines[0]!]), [first, second, third]);
  // One of the three is fixed: two are unchanged, one is gone.
  const compared = compareFindings(
    withFingerprints(lines),
    withFingerprints([observed(9, 'same'), observed(19, 'same')]),
  );
  assert.deepEqual([compared.unchanged.length, compared.fixed.length, compared.new.length], [2, 1, 0]);
});

test('comparing two runs lists new, fixed and unchanged findings', () => {
  const before = withFingerprints([observed(1, 'stays'), observed(2, 'goes')]);
  const after = withFingerprints([observed(5, 'comes'), observed(7, 'stays', { severity: 'critical' })]);
  const compared = compareFindings(before, after);
  assert.deepEqual(
    compared.new.map(({ location }) => location?.snippet),
    ['comes'],
  );
  assert.deepEqual(
    compared.fixed.map(({ location }) => location?.snippet),
    ['goes'],
  );
  assert.deepEqual(
    compared.unchanged.map((both) => [
      both.before.severity,
      both.after.severity,
      both.after.location?.startLine,
    ]),
    [['high', 'critical', 7]],
  );
});

test('a suppression applies to its own finding until its expiry date', () => {
  const findings = withFingerprints([observed(1, 'accepted'), observed(2, 'other')]);
  const until = new Date('2026-06-01T00:00:00Z');
  const suppression = {
    reason: 'Only reachable by us.',
    by: 'ada',
    at: new Date('2026-01-01T00:00:00Z'),
    until,
  };
  const [accepted, other] = withSuppressions(findings, new Map([[findings[0]!.fingerprint, suppression]]));
  assert.equal(isSuppressed(accepted!, new Date('2026-05-31T23:59:59Z')), true);
  assert.equal(isSuppressed(accepted!, until), false);
  assert.equal(isSuppressed(other!, new Date('2026-05-31T00:00:00Z')), false);
});
