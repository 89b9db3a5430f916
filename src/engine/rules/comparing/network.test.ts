import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInNetwork, parseNetwork } from './network.ts';

const lies = (inner: string, outer: string): boolean => {
  const [one, other] = [parseNetwork(inner), parseNetwork(outer)];
  assert.ok(one !== undefined && other !== undefined, `${inner}, ${outer}`);
  return isInNetwork(one, other);
};

test('addresses and ranges lie within the networks that hold all of them', () => {
  for (const [inner, outer, isIn] of [
    ['10.1.2.3', '10.0.0.0/8', true],
    ['10.1.0.0/16', '10.0.0.0/8', true],
    ['10.0.0.0/8', '10.1.0.0/16', false],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['0.0.0.0/0', '0.0.0.0/0', true],
    ['192.168.0.255', '192.168.0.0/25', false],
    ['fd12::1', 'fd00::/8', true],
    ['fe80::1', 'fd00::/8', false],
    ['FD00:0:0:0:0:0:0:1', 'fd00::1', true],
    // An address of one family never lies in a network of the other.
    ['10.0.0.1', '::/0', false],
    // An address of the older protocol that is written as one of the newer is both.
    ['::ffff:10.1.2.3', '10.0.0.0/8', true],
    ['::FFFF:a01:203', '10.0.0.0/8', true],
    ['0:0:0:0:0:ffff:10.1.2.3', '10.0.0.0/8', true],
    ['::ffff:11.1.2.3', '10.0.0.0/8', false],
    ['10.1.2.3', '::ffff:10.0.0.0/104', true],
    ['::ffff:10.1.2.3', '::/0', true],
    ['::ffff:10.1.2.3', '::ffff:0:0/96', true],
    ['::10.1.2.3', '10.0.0.0/8', false],
  ] as const)
    assert.equal(lies(inner, outer), isIn, `${inner} in ${outer}`);
});

test('what is no address or range is not taken for one', () => {
  for (const text of [
    '',
    'example.com',
    '10.0.0',
    '10.0.0.256',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::ffff:10.1.2',
    '::ffff:10.1.2.256',
    '10.1.2.3::',
    ' '.repeat(100),
  ])
    assert.equal(parseNetwork(text), undefined, text);
});
