import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textLine } from './text-line.ts';

const line = (entry: object) => textLine(JSON.stringify({ time: '2026-03-04T05:06:07.890Z', ...entry }));

test('time, service, message and fields stand in one line; the level only where it matters', () => {
  assert.equal(
    line({ level: 'info', service: 'mcp_scan', msg: 'listening', port: 8500 }),
    '05:06:07 mcp_scan: listening port=8500\n',
  );
  assert.equal(line({ level: 'warn', msg: 'slow' }), '05:06:07 WARN slow\n');
});

test('an error is shown with its stack, indented', () => {
  assert.equal(
    line({ level: 'error', msg: 'failed', err: { type: 'Error', stack: 'Error: x\n    at y' } }),
    '05:06:07 ERROR failed\n    Error: x\n     at y\n',
  );
});

test('nothing reaches the terminal that it would obey', () => {
  const hostile = line({ level: 'info', msg: 'name \u001B[2J\nforged line', user: '\u202Edrow' });
  assert.doesNotMatch(hostile.slice(0, -1), /[\p{Cc}\p{Bidi_Control}]/u);
  assert.equal(textLine('not JSON \u0007'), 'not JSON \uFFFD\n');
});
