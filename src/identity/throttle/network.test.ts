import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './network.ts';

test('an IPv4 address equals its IPv6-mapped form; IPv6 addresses of one /64 network are equal', () => {
  assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::ffff:192.0.2.1'), '192.0.2.1');
  assert.equal(networkOf('::FFFF:192.0.2.1'), '192.0.2.1');
  for (const address of ['2001:db8:1:2::1', '2001:DB8:1:2:3:4:5:6', '2001:db8:1:2:ffff::'])
    assert.equal(networkOf(address), '2001:db8:1:2');
  assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0');
  assert.equal(networkOf('fe80::1%eth0'), 'fe80:0:0:0');
  assert.equal(networkOf('::1'), '0:0:0:0');
  assert.equal(networkOf(''), '');
});
