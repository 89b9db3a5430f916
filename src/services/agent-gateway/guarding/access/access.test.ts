import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessControl, AccessRule } from '../../registry/gateways/gateway.ts';
import { isAllowed } from './access.ts';

const alice = { userId: 'u-alice', roles: ['member'], clientId: undefined };
const admin = { userId: 'u-admin', roles: ['admin'], clientId: 'client-1' };
const target = (tool: string | undefined) => ({ serverId: 'mcp_files', serverName: 'Files', tool });

const rule = (fields: Partial<AccessRule>): AccessRule => ({
  principals: ['*'],
  servers: ['*'],
  tools: ['*'],
  effect: 'allow',
  ...fields,
});
const control = (preset: 'allow' | 'deny', ...rules: Partial<AccessRule>[]): AccessControl => ({
  default: preset,
  rules: rules.map(rule),
});

test('without a matching rule the default applies, and a deny rule wins in any order', () => {
  assert.equal(isAllowed(control('allow'), alice, target('files__read')), true);
  assert.equal(isAllowed(control('deny'), alice, target('files__read')), false);
  const rules = [{ tools: ['files__*'] }, { tools: ['*__delete*'], effect: 'deny' as const }];
  for (const order of [rules, rules.toReversed()]) {
    assert.equal(isAllowed(control('deny', ...order), alice, target('files__read')), true);
    assert.equal(isAllowed(control('deny', ...order), alice, target('files__delete_all')), false);
    assert.equal(isAllowed(control('deny', ...order), alice, target('mail__send')), false);
  }
});

test('rules match principals by user, role and client, and servers by id and name', () => {
  for (const principals of [['u-admin'], ['admin'], ['client-1']]) {
    const only = control('deny', { principals, servers: ['Files'] });
    assert.equal(isAllowed(only, admin, target('x')), true);
    assert.equal(isAllowed(only, alice, target('x')), false);
    assert.equal(isAllowed(only, admin, { ...target('x'), serverName: 'Mail' }), false);
  }
  assert.equal(isAllowed(control('deny', { servers: ['mcp_files'] }), alice, target('x')), true);
});

test('only rules for all tools apply to resources and prompts', () => {
  assert.equal(isAllowed(control('deny', { tools: ['read'] }), alice, target(undefined)), false);
  assert.equal(isAllowed(control('deny', {}), alice, target(undefined)), true);
  assert.equal(isAllowed(control('allow', { tools: ['x'], effect: 'deny' }), alice, target(undefined)), true);
});

test('in a glob `*` matches any characters, and every other character itself', () => {
  for (const [glob, name, expected] of [
    ['a.c', 'abc', false],
    ['(a+)+$*', 'aaaa', false],
    ['*', '', true],
    ['**', 'x', true],
    ['a*', 'a', true],
    ['*a', 'ba', true],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['ab*bc', 'abc', false],
    ['ab*bc', 'abbc', true],
    ['*b*', 'abc', true],
    ['*b*d', 'abcd', true],
    ['*b*d', 'adcb', false],
    ['a*b*a', 'aba', true],
    ['a*bc*ca', 'abca', false],
    ['a*bc*ca', 'abcca', true],
    [`${'*a'.repeat(20)}*b`, 'a'.repeat(64), false],
  ] as const)
    assert.equal(
      isAllowed(control('deny', { tools: [glob] }), alice, target(name)),
      expected,
      `${glob} ${name}`,
    );
});
