import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostOf } from './entities.ts';
import { isInternalHost } from './internal-hosts.ts';

test('addresses inside are found in all their forms', () => {
  for (const address of [
    'http://127.0.0.1:8080/admin',
    'http://10.1.2.3',
    'https://192.168.0.1/x',
    'http://172.31.255.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://[::1]:8080/',
    'http://[::ffff:10.1.2.3]/',
    'http://[fd12:3456::1]/',
    'http://[fe80::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1:80/',
    'localhost:3000',
    'http://api.internal/',
    'http://metadata.google.internal/',
  ])
    assert.equal(isInternalHost(hostOf(address)), true, address);
});

test('public ones, and names that begin like inner ones, are not', () => {
  for (const address of [
    'https://example.com',
    'https://8.8.8.8/',
    'http://172.32.0.1/',
    'https://fdic.gov/',
    'https://fd-analytics.example/',
    'http://[2001:4860:4860::8888]/',
    'https://10.example.com/',
    '2130706433',
    'order 5512',
  ])
    assert.equal(isInternalHost(hostOf(address)), false, address);
});
