import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import { loadConfig, type Env } from './load.ts';
import { platformSections } from './platform.ts';

const folder = mkdtempSync(join(tmpdir(), 'bulwark-config-'));
after(() => rmSync(folder, { recursive: true }));

const file = (yaml: string): Env => {
  const path = join(folder, `${Math.random()}.yaml`);
  writeFileSync(path, yaml);
  return { BULWARK_CONFIG: path };
};
const load = (env: Env) => loadConfig(platformSections, env);

test('defaults apply where nothing is set, and an empty variable counts as not set', () => {
  const config = load({ BULWARK_HOST: '', PATH: '/bin' });
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port.policyGuard, 8100);
  assert.equal(config.metrics.enabled, false);
  assert.equal(config.database.url, undefined);
});

test('an invalid route path is refused at startup', () => {
  for (const path of ['metrics', '/a b', '/:any'])
    assert.throws(() => load({ BULWARK_METRICS_PATH: path }), /BULWARK_METRICS_PATH must be a path/);
});

test('environment variables override the file, and the file overrides the defaults', () => {
  const config = load({
    ...file('environment: staging\nmetrics:\n  enabled: true\n  path: /m\nport:\n  policy_guard: 9000\n'),
    BULWARK_PORT_POLICY_GUARD: '9100',
    BULWARK_AUTH_ENABLED: 'false',
    BULWARK_ALLOW_PRIVATE_NETWORK: '10.0.0.0/8, fd00::/8',
  });
  assert.equal(config.environment, 'staging');
  assert.deepEqual(config.metrics, { enabled: true, path: '/m' });
  assert.equal(config.port.policyGuard, 9100);
  assert.equal(config.auth.enabled, false);
  assert.deepEqual(config.allowPrivateNetwork, ['10.0.0.0/8', 'fd00::/8']);
  assert.deepEqual(load(file('allow_private_network: true')).allowPrivateNetwork, ['true']);
});

test('every invalid or unknown setting is reported on its own line, with the most similar valid name', () => {
  const env = {
    ...file('metrics:\n  enable: true\nport: 80\nlog:\n  level: loud\n'),
    BULWARK_DATABSE_URL: 'postgres://x',
    BULWARK_DATABASE_URL: 'mysql://x',
    BULWARK_PORT_POLICY_GUARD: '70000',
    BULWARK_JWT_SECRET: 'short',
  };
  assert.throws(() => load(env), {
    name: 'StartupError',
    message: [
      'The configuration is not valid:',
      'BULWARK_DATABSE_URL is not a setting; did you mean BULWARK_DATABASE_URL?',
      'metrics.enable is not a setting; did you mean metrics.enabled?',
      'port must hold settings, such as port.dashboard',
      'BULWARK_PORT_POLICY_GUARD must be a whole number from 0 to 65535',
      'BULWARK_DATABASE_URL must be a URL that begins with postgres:// or postgresql://',
      'BULWARK_JWT_SECRET must have at least 32 characters',
      'log.level must be one of trace, debug, info, warn, error, silent',
    ].join('\n  - '),
  });
});

test('trusted proxies are accepted as addresses and CIDR blocks', () => {
  const proxies = (names: string) => load({ BULWARK_TRUSTED_PROXIES: names }).trustedProxies;
  assert.deepEqual(proxies('10.0.0.1, 10.1.0.0/16,fd00::/8'), ['10.0.0.1', '10.1.0.0/16', 'fd00::/8']);
  for (const wrong of ['proxy.internal', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', 'true'])
    assert.throws(() => proxies(wrong), /BULWARK_TRUSTED_PROXIES must be addresses or CIDR blocks/);
});

test('an unreadable file, or one that is not a map, is named in the error', () => {
  assert.throws(() => load({ BULWARK_CONFIG: join(folder, 'none.yaml') }), /none\.yaml cannot be read/);
  assert.throws(() => load(file('a: [1')), /cannot be read/);
  assert.throws(() => load(file('- a\n- b\n')), /must hold settings/);
});

test('a secret is not shown when it is printed', () => {
  const secret = 'x'.repeat(40);
  const config = load({ BULWARK_JWT_SECRET: secret });
  assert.equal(config.jwt.secret?.reveal(), secret);
  for (const printed of [
    JSON.stringify(config),
    inspect(config, { depth: 9 }),
    `${String(config.jwt.secret)}`,
  ])
    assert.doesNotMatch(printed, /xxx/);
});
