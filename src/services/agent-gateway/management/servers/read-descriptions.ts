/** Reads what a server said of itself at its last discovery, so that people know before any agent asks. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import { noteFinding } from '../../guarding/descriptions/descriptions.ts';
import { findGateway } from '../../registry/gateways/store.ts';
import { findDiscovery } from '../../registry/servers/store.ts';

export async function readDescriptions(
  { db, clock }: { db: Database; clock: Clock },
  gatewayId: string,
  serverId: string,
): Promise<void> {
  const gateway = await findGateway(db, gatewayId);
  if (gateway === undefined || gateway.descriptionGuard === 'off') return;
  for (const kind of ['tools', 'prompts', 'resources'] as const)
    for (const definition of (await findDiscovery(db, serverId, kind)).items) {
      await yieldToEventLoop();
      const name = String(definition[kind === 'resources' ? 'uri' : 'name']);
      await noteFinding(db, gatewayId, { serverId, kind, name, definition, foundAt: new Date(clock.now()) });
    }
}
