/** A log of 100,000 calls in the browser: read to its end, with few rows in the page at any time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openDatabase } from '#base/db/open.ts';
import { hasOwnPostgres, startOwnPostgres, type OwnPostgres } from '../fixtures/own-postgres.ts';
import { openSession, type Session } from './browser.ts';
import { openCalls } from './fill-deployment.ts';

const rowCount = 100_000;
const mostRendered = 50;

const resources = new AsyncDisposableStack();
after(() => resources.disposeAsync());
let session: Session;
let gatewayId = '';

async function fillLog(postgres: OwnPostgres): Promise<void> {
  await using db = await openDatabase({ url: postgres.url, dataDir: '', poolSize: 1 });
  await db.query(
    `insert into agent_gateway.calls (call_id, tenant_id, gateway_id, at, method, tool_name, user_id, principal, session_id,
        allowed, outcome, reason, rule_ids, latency_ms, guard_latency_ms)
      select gen_random_uuid(), tenant_id, gateway_id, now() - i * interval '1 second', 'tools/call', 'tool_' || i,
          owner_id, 'somebody', 'a session', i % 7 <> 0, case when i % 7 = 0 then 'blocked' else 'ok' end,
          case when i % 7 = 0 then repeat('A rule speaks against it. ', i % 5) else '' end, '{}', 3, 1
        from agent_gateway.gateways, generate_series(1, ${rowCount}) as i where gateway_id = $1`,
    [gatewayId],
  );
  await db.query('analyze agent_gateway.calls');
}

before(async () => {
  if (!hasOwnPostgres) return;
  const postgres = resources.use(await startOwnPostgres());
  session = resources.use(await openSession({ BULWARK_DATABASE_URL: postgres.url }));
  const call = await openCalls(session.url);
  gatewayId = (await call('agent-gateway', 'POST', '/api/gateways', { name: 'Busy' })).id;
  await fillLog(postgres);
});

test(
  'a log of 100,000 calls is read to its end, with at most 50 rows in the page',
  { skip: hasOwnPostgres ? false : 'PostgreSQL is not installed here' },
  async (t) => {
    const page = await session.signedIn();
    await page.goto(`/gateways/${gatewayId}?tab=calls`);
    const table = page.getByRole('table', { name: 'Calls' });
    await table.getByText('tool_1', { exact: true }).waitFor();
    const rendered = () => table.locator('tbody tr[data-index]').count();
    const known = async () => Number(await table.getAttribute('aria-rowcount'));
    let most = 0;
    for (let before = 0; before < rowCount;) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      most = Math.max(most, await rendered());
      const now = await known();
      if (now === before) await page.waitForTimeout(50);
      before = now;
    }
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await table.getByText(`tool_${rowCount}`, { exact: true }).waitFor();
    for (const share of [0, 0.1, 0.5, 0.77, 1]) {
      await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${share})`);
      await table.locator('tbody tr[data-index]').first().waitFor();
      most = Math.max(most, await rendered());
    }
    t.diagnostic(`at most ${most} of ${await known()} rows are in the page`);
    assert.equal(await known(), rowCount);
    assert.ok(most > 5 && most <= mostRendered, `${most} rows`);
    // The page scrolls, and nothing inside it.
    const inner = await page
      .getByRole('region', { name: 'Calls' })
      .evaluate(
        (element: { scrollHeight: number; clientHeight: number }) =>
          element.scrollHeight - element.clientHeight,
      );
    assert.ok(inner <= 1, `the table scrolls by ${inner} px in itself`);

    await page.evaluate('scrollTo(0, 0)');
    await page.getByLabel('Outcome').selectOption('Refused');
    // The rows of before stay until the answer is there.
    await table.getByText('ok', { exact: true }).first().waitFor({ state: 'detached' });
    await table.getByText('tool_7', { exact: true }).waitFor();
  },
);
