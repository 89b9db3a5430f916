import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestTurns, responseTurns } from './chat-turns.ts';

const tool = (text: string) => ({ role: 'tool', text });

test('tool call arguments are read in every form of chat requests', () => {
  const messages = [
    { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{"a":1}' } }] },
    { role: 'assistant', tool_calls: [{ type: 'custom', custom: { name: 'shell', input: 'rm -rf /' } }] },
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{"b":2}' } },
    { role: 'tool', content: 'done' },
  ];
  assert.deepEqual(requestTurns({ messages }), [
    tool('{"a":1}'),
    tool('rm -rf /'),
    tool('{"b":2}'),
    tool('done'),
  ]);
});

test('tool call arguments are read in every form of responses', () => {
  const output = [
    { type: 'function_call', arguments: '{"a":1}' },
    { type: 'custom_tool_call', input: 'rm -rf /' },
    { type: 'custom_tool_call_output', output: 'gone' },
    { type: 'mcp_call', arguments: '{"b":2}', output: 'an answer' },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
  ];
  assert.deepEqual(responseTurns({ output }), [
    tool('{"a":1}'),
    tool('rm -rf /'),
    tool('gone'),
    { role: 'assistant', text: 'an answer' },
    tool('{"b":2}'),
    { role: 'assistant', text: 'Done.' },
  ]);
});
