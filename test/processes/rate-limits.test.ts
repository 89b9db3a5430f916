/** Two `bulwark serve action-guard` share a rate limit, through Redis and through PostgreSQL. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTogether, whyNot } from './together.ts';

const skip = await whyNot();
const perMinute = 40;
/** Each process may be one request ahead of the other. */
const overshoot = 2;

for (const [store, env] of Object.entries({ Redis: {}, PostgreSQL: { BULWARK_REDIS_URL: '' } }))
  test(`two processes share a limit, through ${store}`, { skip }, async () => {
    await using together = await startTogether('action-guard', 2, {
      ...env,
      BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: String(perMinute),
      BULWARK_METRICS_ENABLED: 'true',
    });
    const { urls, token } = together;
    const get = (at: number) =>
      fetch(`${urls[at]}/api/v1/logs?limit=1`, { headers: { authorization: `Bearer ${token}` } });
    const beganAt = performance.now();
    const answers: Response[] = [];
    const client = async (at: number) => {
      for (let i = 0; i < perMinute; i++) answers.push(await get(at));
    };
    await Promise.all([client(0), client(0), client(1), client(1)]);
    const refilled = ((performance.now() - beganAt) * perMinute) / 60_000;
    const passed = answers.filter(({ status }) => status === 200).length;
    assert.ok(passed >= perMinute, `${passed} are fewer than the limit`);
    assert.ok(passed <= perMinute + refilled + overshoot, `${passed} are too many`);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(refused.length, answers.length - passed);
    for (const { headers } of refused) assert.ok(Number(headers.get('retry-after')) <= 5);
    const metrics = await (await fetch(`${urls[0]}/metrics`)).text();
    assert.match(metrics, /bulwark_rate_limits_shared\{backend="(redis|postgres)"[^}]*\} 1/);
  });
