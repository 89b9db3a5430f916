import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseOtherSites } from './same-site.ts';

const asked = (headers: Record<string, string>, listensOn = '127.0.0.1') => {
  try {
    refuseOtherSites(headers, listensOn);
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};

test('pages of other sites and origins are refused, our own and programs are not', () => {
  const host = 'localhost:22100';
  assert.equal(asked({ host }), 'taken');
  assert.equal(asked({ host, origin: 'http://localhost:22100', 'sec-fetch-site': 'same-origin' }), 'taken');
  assert.match(asked({ host, origin: 'http://localhost:3000' }), /another origin/);
  assert.match(asked({ host, origin: 'null' }), /without an origin|another origin/);
  assert.match(asked({ host, origin: 'not a url' }), /another origin/);
  for (const site of ['cross-site', 'same-site'])
    assert.match(asked({ host, 'sec-fetch-site': site }), /another site/);
});

test('on a loopback address only loopback names are answered', () => {
  assert.match(asked({ host: 'rebound.example:22100' }), /localhost alone/);
  assert.match(asked({}), /localhost alone/);
  assert.equal(asked({ host: '[::1]:22100' }, '::1'), 'taken');
  assert.equal(asked({ host: 'guards.example' }, '0.0.0.0'), 'taken');
});
