import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectiveSettings } from './effective.ts';
import { loadConfig } from './load.ts';
import { platformSections } from './platform.ts';

test('effective settings list each value with its key and hide secrets', () => {
  const config = loadConfig(platformSections, {
    BULWARK_DATABASE_URL: 'postgres://bulwark:hunter2@db.example.com:5432/bulwark',
    BULWARK_LLM_API_KEY: 'sk-very-secret',
    BULWARK_CACHE_TTL_SECONDS: '60',
  });
  const settings = effectiveSettings(platformSections, config);
  const of = (path: string) => settings.find((setting) => setting.path === path);
  assert.deepEqual(
    [of('cache.ttl_seconds')?.value, of('cache.ttl_seconds')?.variable, of('cache.ttl_seconds')?.isSet],
    [60, 'BULWARK_CACHE_TTL_SECONDS', true],
  );
  assert.deepEqual([of('cache.max_entries')?.value, of('cache.max_entries')?.isSet], [10_000, false]);
  assert.equal(of('llm.api_key')?.value, '[secret]');
  assert.equal(of('jwt.secret')?.value, null);
  assert.equal(of('database.url')?.value, 'postgres://bulwark:…@db.example.com:5432/bulwark');
  const told = (url: string) => {
    const given = loadConfig(platformSections, { BULWARK_DATABASE_URL: url });
    return effectiveSettings(platformSections, given).find(({ path }) => path === 'database.url')?.value;
  };
  assert.equal(told('postgres://db/b?user=u&password=hunter2'), 'postgres://db/b?user=u&password=…');
  assert.equal(told('postgres://u:hunter2@db/100%'), 'postgres://u:…@db/100%', 'whatever else is in it');
  assert.doesNotMatch(JSON.stringify(settings), /hunter2|very-secret/);
});
