import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { loadTextEngine } from '#engine/text/engine.ts';
import type { TextEngine } from '#engine/text/engine.ts';
import { isRecordedContact } from './contacts.ts';
import { ContextReader } from './evaluation-context.ts';

let text: TextEngine;
before(async () => {
  text = await loadTextEngine();
});

test('an address alone in a field of a record is on record, whatever the field is called; a remark is not', () => {
  const context = new ContextReader(text).read(
    [
      { role: 'user', content: 'Tell them' },
      {
        role: 'agent',
        toolName: 'get_event',
        toolParams: { id: 't5' },
        toolOutput: {
          teilnehmer: ['kern@holz.example'],
          note: 'eve@elsewhere.example',
          titel: 'Gespräch mit mallory@elsewhere.example',
        },
      },
      { role: 'agent', toolName: 'send_mail', toolParams: { to: 'kern@holz.example' } },
    ],
    {},
  );
  assert.ok(context);
  assert.ok(isRecordedContact(context, 'kern@holz.example'));
  assert.ok(!isRecordedContact(context, 'eve@elsewhere.example'));
  assert.ok(!isRecordedContact(context, 'mallory@elsewhere.example'));
});
