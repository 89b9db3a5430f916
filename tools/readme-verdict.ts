/**
 * The answer under "First verdict" of the README, as the product gives it: `node tools/readme-verdict.ts` writes it anew.
 * The id of the guard and the time stay as they are.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInGroup, openTestService } from '#services/policy-guard/fixtures/service.ts';

const path = join(import.meta.dirname, '../README.md');
/** The body that `curl` sends, and the answer. */
const firstVerdict = /(?<=## First verdict[\s\S]*?-d ')([^']+)('[\s\S]*?```json\n)([\s\S]*?)(?=\n```)/;

/** The README with the answer of the product that is there, and as it stands. */
export async function readmeWithVerdict(): Promise<{ current: string; stored: string }> {
  const stored = readFileSync(path, 'utf8');
  const [, request = '', , answer = ''] = firstVerdict.exec(stored) ?? [];
  const { text } = JSON.parse(request) as { text: string };
  const { id, guard: name, latency_ms: latencyMs } = JSON.parse(answer) as Record<string, unknown>;
  await using service = await openTestService();
  const as = service.tokens.admin;
  const body = { name, policy_group_uuids: [builtInGroup] };
  const made = await service.call('POST', '/api/guards', { as, body });
  const given = await service.call('POST', '/api/topic_guard', {
    key: service.keys.admin,
    body: { guard_uuid: made.body.guard_uuid, text },
  });
  if (given.status !== 200) throw new Error(JSON.stringify([made.body, given.body]));
  const shown = JSON.stringify({ ...given.body, id, latency_ms: latencyMs }, null, 2);
  // A function, since texts may hold what a replacement pattern takes for a reference.
  const current = stored.replace(
    firstVerdict,
    (_, sent: string, between: string) => `${sent}${between}${shown}`,
  );
  return { current, stored };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { current } = await readmeWithVerdict();
  writeFileSync(path, current);
}
