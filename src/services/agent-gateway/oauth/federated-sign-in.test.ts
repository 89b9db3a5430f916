/** Users who sign in at the OpenID Connect issuer instead of with a local password. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeJwt } from 'jose';
import { startOidcIssuer } from '../../../../test/fixtures/oidc-issuer.ts';
import { beginFlow, redeem, register } from '../fixtures/oauth-client.ts';
import { Person, type Shown } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';

const issuer = await startOidcIssuer();
const service = await openTestService({
  env: {
    BULWARK_OIDC_ISSUER: issuer.url,
    BULWARK_OIDC_CLIENT_ID: 'bulwark-gateways',
    BULWARK_OIDC_CLIENT_SECRET: 'a secret of the client',
  },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});
const { url: home, call, tokens } = service;
const { mcpUrl, gatewayId } = await service.gateway([]);

/** The sign-in page of a new request, and the target of its link to the issuer. */
async function toIssuer(person: Person, url = mcpUrl) {
  const { body } = await register(url);
  const flow = beginFlow(url, body.client_id);
  const shown = await person.open(flow.url, home);
  assert.ok(!('leftTo' in shown));
  assert.match(shown.html, new RegExp(`Sign in with ${new URL(issuer.url).host}`));
  const away = await person.open(`${shown.url}/issuer`, home);
  assert.ok('leftTo' in away);
  return { flow, clientId: body.client_id as string, away: away.leftTo };
}

/** The address to which the issuer redirects the browser. */
const backFrom = async (away: URL): Promise<string> =>
  (await fetch(away, { redirect: 'manual' })).headers.get('location') ?? '';

const pageOf = (shown: Shown | { leftTo: URL }): Shown => {
  assert.ok(!('leftTo' in shown), 'leftTo' in shown ? shown.leftTo.href : '');
  return shown;
};

test('a user of the issuer consents, and the client calls as the user created for them', async () => {
  issuer.person = { sub: 'ada-1', preferred_username: 'ada', tenant: 'system', roles: ['member'] };
  const person = new Person();
  const { flow, clientId, away } = await toIssuer(person);
  assert.equal(away.searchParams.get('code_challenge_method'), 'S256');
  const consent = pageOf(await person.open(await backFrom(away), home));
  assert.match(consent.html, />ada</);
  const fields = [['scope', 'mcp:tools'] as const, ['decision', 'allow'] as const];
  const after = await person.submit(consent, '/consent', fields, home);
  assert.ok('leftTo' in after);
  const { body } = await redeem(mcpUrl, clientId, flow, after.leftTo.searchParams.get('code') ?? '');
  const { body: all } = await call('GET', `/api/gateways/${gatewayId}/oauth/consents`, { as: tokens.admin });
  assert.equal(all.consents[0].user_id, decodeJwt(body.access_token).sub);
  const answer = await fetch(mcpUrl, { headers: { authorization: `Bearer ${body.access_token}` } });
  assert.equal(answer.status, 200);
});

test('the issuer’s response works once, in the same browser and for its own request only', async () => {
  issuer.person = { sub: 'ada-1', preferred_username: 'ada', tenant: 'system' };
  const person = new Person();
  const back = await backFrom((await toIssuer(person)).away);
  assert.equal(pageOf(await new Person().open(back, home)).status, 400, 'another browser');
  assert.equal(pageOf(await person.open(back, home)).status, 400, 'the first attempt has consumed it');

  const first = await toIssuer(person);
  const returned = await backFrom(first.away);
  const going = await person.request(returned);
  const signedIn = going.headers.get('location') ?? '';
  assert.match(signedIn, /\/interaction\/[\w-]+\/signed-in\?handle=/);
  const other = await toIssuer(new Person());
  assert.ok(other.away.href !== first.away.href);
  assert.equal(pageOf(await new Person().open(signedIn, home)).status, 400, 'a stolen address');
  assert.equal(pageOf(await person.open(signedIn, home)).status, 200);
  assert.equal(pageOf(await person.open(returned, home)).status, 400);

  const liar = new Person();
  const forged = new URL(await backFrom((await toIssuer(liar)).away));
  forged.searchParams.set('code', 'made-up');
  assert.equal(pageOf(await liar.open(forged.href, home)).status, 401);
  assert.equal(pageOf(await person.open(`${home}/oauth/callback?state=x&code=y`, home)).status, 400);
  assert.equal(pageOf(await person.open(`${home}/oauth/callback`, home)).status, 400);
});

test('users refused by the issuer, without a tenant, or of another tenant cannot sign in', async () => {
  const attempt = async () => {
    const person = new Person();
    const { away } = await toIssuer(person);
    return pageOf(await person.open(await backFrom(away), home));
  };
  issuer.refuses = true;
  assert.equal((await attempt()).status, 401);
  issuer.refuses = false;
  issuer.person = { sub: 'no-tenant', preferred_username: 'bob' };
  assert.equal((await attempt()).status, 403);
  issuer.person = { sub: 'elsewhere', preferred_username: 'eve', tenant: 'other' };
  const shown = await attempt();
  assert.equal(shown.status, 403);
  assert.match(shown.html, /another tenant/);
});
