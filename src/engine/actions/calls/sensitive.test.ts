import assert from 'node:assert/strict';
import { test } from 'node:test';
import { holdsClass, namesClass } from './sensitive.ts';

test('groups of four digits are a card, and behind the beginning of an account none', () => {
  assert.ok(holdsClass('Use 4111 1111 1111 1111.', 'card'));
  assert.ok(!holdsClass('Our account: AT61 1904 3002 3457 3201.', 'card'));
});

test('a route is no bank, and customs are no customers', () => {
  assert.ok(!namesClass('route R-8', 'bank'));
  assert.ok(namesClass('routing number', 'bank'));
  assert.ok(!namesClass('zoll@customs.example', 'customer'));
  assert.ok(namesClass('customer list', 'customer'));
});

test('counters and cursors are no secrets, and other tokens are', () => {
  for (const key of [
    'max tokens',
    'max_tokens',
    'page_token',
    'next page token',
    'continuation token',
    'sync token',
    'prompt tokens',
    'token_count',
    'cursor',
  ])
    assert.ok(!namesClass(key, 'secret'), key);
  for (const key of [
    'access_token',
    'refresh token',
    'token',
    'tokens',
    'api token',
    'session token',
    'max tokens password',
  ])
    assert.ok(namesClass(key, 'secret'), key);
});

test('a masked number says nothing of a person, nor does the party on a birthday', () => {
  for (const text of ['SSN ***-**-6789', 'SSN: XXX-XX-6789', 'passport no. *****321'])
    assert.ok(!holdsClass(text, 'personal'), text);
  for (const text of [
    'SSN 123-45-6789',
    'SSN ***-**-6789, born on 4 May 1980',
    'SSN ***-**-6789 and SSN 123-45-6789',
    'SSN ***-**-6789-123',
  ])
    assert.ok(holdsClass(text, 'personal'), text);
  for (const text of ['birthday party on Friday', 'Happy birthday!'])
    assert.ok(!namesClass(text, 'personal'), text);
  for (const text of ['birthday', 'birthdays of the staff', 'birthday party, passport'])
    assert.ok(namesClass(text, 'personal'), text);
});
