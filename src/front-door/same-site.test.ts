import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OwnSite, refuseOtherSites } from './same-site.ts';

const asked = (headers: Record<string, string>, site: Partial<OwnSite> = {}, method = 'POST') => {
  try {
    refuseOtherSites({ method, headers }, { listensOn: '127.0.0.1', publicUrl: undefined, ...site });
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};

test('requests from pages of other sites and origins are refused; our own pages and programs are accepted', () => {
  const host = 'localhost:22100';
  assert.equal(asked({ host }), 'taken');
  assert.equal(asked({ host, origin: 'http://localhost:22100', 'sec-fetch-site': 'same-origin' }), 'taken');
  for (const origin of ['http://localhost:3000', 'null', 'not a url'])
    assert.match(asked({ host, origin }), /another origin/);
  for (const site of ['cross-site', 'same-site'])
    assert.match(asked({ host, 'sec-fetch-site': site }), /another site/);
});

test('links from other sites may open the dashboard; other cross-site requests are refused', () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  const host = 'localhost:22100';
  assert.equal(asked({ host, ...link }, {}, 'GET'), 'taken');
  assert.match(asked({ host, ...link }, {}, 'POST'), /another site/);
  assert.match(asked({ host, ...link, 'sec-fetch-dest': 'iframe' }, {}, 'GET'), /another site/);
  assert.match(asked({ host, ...link, 'sec-fetch-mode': 'no-cors' }, {}, 'GET'), /another site/);
  assert.match(asked({ host: 'rebound.example:22100', ...link }, {}, 'GET'), /localhost only/);
});

test('on a loopback address only loopback host names are accepted', () => {
  assert.match(asked({ host: 'rebound.example:22100' }), /localhost only/);
  assert.match(asked({}), /localhost only/);
  assert.equal(asked({ host: '[::1]:22100' }, { listensOn: '::1' }), 'taken');
  assert.equal(asked({ host: 'guards.example' }, { listensOn: '0.0.0.0' }), 'taken');
});

test('behind a proxy the public host name is accepted, whatever Host header the proxy sends', () => {
  const publicUrl = 'https://guards.example';
  const page = { origin: 'https://guards.example', 'sec-fetch-site': 'same-origin' };
  for (const listensOn of ['127.0.0.1', '0.0.0.0'])
    for (const host of ['guards.example', '127.0.0.1:22100'])
      assert.equal(asked({ host, ...page }, { listensOn, publicUrl }), 'taken', `${listensOn} ${host}`);
  assert.match(asked({ host: 'other.example', ...page }, { publicUrl }), /localhost only/);
  assert.match(
    asked({ host: 'guards.example', origin: 'https://evil.example' }, { publicUrl }),
    /another origin/,
  );
});
