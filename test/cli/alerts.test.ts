/** `bulwark alerts` against a running service. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { alertMigrations } from '#alerts/migrations.ts';
import { openAlerts } from '#alerts/alerts.ts';
import { eventMigrations } from '#base/events/migrations.ts';
import { openWebhooks } from '#base/events/webhooks/open-webhooks.ts';
import { mount } from '#base/http/mount.ts';
import { createHttpServer, serverSettings } from '#base/http/server.ts';
import { callInto } from '#base/http/testing.ts';
import { addTestPeople, type TestPeople } from '#identity/test-people.ts';
import { folder, run } from '../../src/cli/eval/fixtures/cli.ts';
import { openTestContext } from '../fixtures/service-context.ts';

interface Told {
  readonly headers: Record<string, string>;
  readonly body: string;
}
const stack = new AsyncDisposableStack();
let url = '';
let hook = '';
let tokens: TestPeople;
const told: Told[] = [];
let onTold = () => {};

before(async () => {
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      response.end('ok');
      told.push({ headers: request.headers as Record<string, string>, body });
      onTold();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  stack.defer(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const context = await openTestContext(stack, {
    sections: {},
    migrations: [eventMigrations, alertMigrations],
    env: { BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' },
  });
  const { config, db, identity, jobs, log } = context;
  const webhooks = await openWebhooks(context, stack);
  const alerts = stack.use(await openAlerts({ ...context, webhooks, mailer: undefined }));
  await jobs.start();
  const app = createHttpServer({ service: 'policy-guard', log, ...serverSettings(config) });
  identity.mount(app, { apiKeys: false, counted: (caller) => caller });
  mount(app, alerts.operations, alerts.handlers, {
    strictAnswers: true,
    authenticate: (operation, headers) => identity.authenticate(operation, headers),
  });
  tokens = await addTestPeople(db, callInto(app));
  url = await app.listen({ host: '127.0.0.1', port: 0 });
  stack.defer(() => app.close());
});
after(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

const alerts = (args: string[], who: keyof TestPeople = 'admin') =>
  run(['alerts', ...args], { BULWARK_URL: url, BULWARK_TOKEN: tokens[who] });

test('rules are added, listed and deleted by name; others see nothing of them', async () => {
  const empty = await alerts(['list']);
  assert.match(empty.out, /Rules: 0[^]*Add a rule[^]*Nobody is told/, empty.err);
  const made = await alerts(['create', 'Chat is attacked', '--measure', 'flag_rate', '--threshold', '0.25']);
  assert.deepEqual([made.code, made.err], [0, '']);
  assert.match(made.out, /Share of texts flagged: 25 % or more in 15 min/);
  const listed = JSON.parse((await alerts(['list', '--json'])).out);
  assert.deepEqual(
    listed.rules.map(({ name, threshold }: { name: string; threshold: number }) => [name, threshold]),
    [['Chat is attacked', 0.25]],
  );
  assert.match((await alerts(['list'], 'stranger')).out, /Rules: 0/);
  const refused = await alerts(['list'], 'member');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /administrators/);
  await alerts(['create', 'Chat is attacked', '--measure', 'flagged_texts', '--threshold', '3']);
  const two = await alerts(['delete', 'Chat is attacked']);
  assert.equal(two.code, 1);
  assert.match(two.err, /2 have the name/);
  for (const { rule_id: id } of JSON.parse((await alerts(['list', '--json'])).out).rules)
    assert.match((await alerts(['delete', id])).out, /Deleted/);
  assert.match((await alerts(['delete', 'Chat is attacked'])).err, /There is no alert rule/);
});

test('a channel is added, its test arrives with the printed secret’s signature, and it is removed', async () => {
  const neither = await alerts(['create-channel', 'On call']);
  assert.equal(neither.code, 2);
  assert.match(neither.err, /--mail, --webhook and --slack/);
  const made = await alerts(['create-channel', 'On call', '--webhook', hook]);
  assert.equal(made.code, 0, made.err);
  const secret = /shown only now: (\S+)/.exec(made.out)?.[1] ?? '';
  const arrived = new Promise<void>((resolve) => {
    onTold = resolve;
  });
  assert.match((await alerts(['test', 'On call'])).out, /on its way/);
  await arrived;
  const [first] = told;
  new Webhook(secret).verify(first?.body ?? '', first?.headers ?? {});
  assert.equal(JSON.parse(first?.body ?? '{}').type, 'alert.test');
  assert.match((await alerts(['delete-channel', 'On call'])).out, /Removed/);
  assert.match((await alerts(['test', 'On call'])).err, /There is no channel/);
});

test('a measure or a threshold that cannot be is refused before anything is sent', async () => {
  const wrong = await alerts(['create', 'x', '--measure', 'noise', '--threshold', '1']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /flag_rate/);
  assert.equal((await alerts(['create', 'x', '--measure', 'flag_rate'])).code, 2);
  const share = await alerts(['create', 'x', '--measure', 'flag_rate', '--threshold', '25']);
  assert.equal(share.code, 1);
  assert.match(share.err, /0\.25 is 25 %/);
});
