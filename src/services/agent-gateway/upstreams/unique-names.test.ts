import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attachment } from '../registry/servers/server.ts';
import { withUniqueNames } from './unique-names.ts';

const offer = (server: string, ownName: string, toolPrefix = '') => ({
  attachment: { server: { serverId: server, name: server }, toolPrefix } as unknown as Attachment,
  ownName,
  name: toolPrefix + ownName,
  definition: { name: toolPrefix + ownName },
});
const namesOf = (offers: readonly { name: string; definition: { name?: unknown } }[]) =>
  offers.map(({ name, definition }) => (assert.equal(definition.name, name), name));

test('without a holder the server that was attached first keeps the name', () => {
  const offers = [offer('a', 'read'), offer('b', 'read'), offer('b', 'b__read'), offer('c', 'read')];
  assert.deepEqual(namesOf(withUniqueNames(offers, new Map())), ['read', 'b__read__2', 'b__read', 'c__read']);
});

test('a name that is held stays free while its holder does not offer it', () => {
  const held = new Map([['read', 'b']]);
  assert.deepEqual(namesOf(withUniqueNames([offer('a', 'read'), offer('b', 'read')], held)), [
    'a__read',
    'read',
  ]);
  assert.deepEqual(namesOf(withUniqueNames([offer('a', 'read')], held)), ['a__read']);
});

test('new names have at most 64 characters, and a name that a server lists twice is listed once', () => {
  const long = 'n'.repeat(64);
  const names = namesOf(withUniqueNames([offer('a', long), offer('b', long), offer('c', long)], new Map()));
  assert.equal(new Set(names).size, 3);
  assert.ok(names.every(({ length }) => length <= 64));
  assert.deepEqual(namesOf(withUniqueNames([offer('a', 'read'), offer('a', 'read')], new Map())), ['read']);
});
