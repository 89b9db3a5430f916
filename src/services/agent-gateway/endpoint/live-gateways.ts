/** The gateways that run in this process. One is built when it is started, or when the first call comes after a restart. */
import type { Database } from '#base/db/database.ts';
import { unavailable } from '#base/errors.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { RunningGateways } from '../registry/gateways/gateways.ts';
import { changedChannel, findGateway } from '../registry/gateways/store.ts';
import { listAttachments } from '../registry/servers/store.ts';
import { LiveGateway, type LiveDeps } from './live-gateway.ts';

/** Told with the ids of a server and of a user. */
const grantsChannel = 'agent_gateway_user_grants';

export interface LiveGateways extends RunningGateways, AsyncDisposable {
  /** The gateway where it runs; undefined where there is none, or it is stopped. */
  find(gatewayId: string): Promise<LiveGateway | undefined>;
  /** The same, where it has been built already. */
  peek(gatewayId: string): LiveGateway | undefined;
  /** What a user granted at a server was written; every process is told. */
  userGrantChanged(serverId: string, userId: string): Promise<void>;
}

interface Deps {
  readonly db: Database;
  readonly vault: Vault;
  readonly liveDeps: LiveDeps;
  /** Told before a gateway's connections end. */
  readonly onStop: (live: LiveGateway) => void;
}

export async function openLiveGateways({ db, vault, liveDeps, onStop }: Deps): Promise<LiveGateways> {
  // What is known of gateways that do not run here; they are asked for on each call of their endpoint.
  const running = new Map<string, Promise<LiveGateway | undefined>>();
  const built = new Map<string, LiveGateway>();
  const starting = new Set<string>();
  let isOver = false;

  const read = async (gatewayId: string) => {
    const gateway = await findGateway(db, gatewayId);
    return gateway && { gateway, attachments: await listAttachments(db, vault, gatewayId) };
  };

  const build = async (gatewayId: string): Promise<LiveGateway | undefined> => {
    const found = await read(gatewayId);
    if (isOver) throw unavailable('The service is shutting down.');
    if (found?.gateway.running !== true) return undefined;
    const live = new LiveGateway(liveDeps, found);
    built.set(gatewayId, live);
    return live;
  };

  const find = async (gatewayId: string): Promise<LiveGateway | undefined> => {
    const known = running.get(gatewayId);
    if (known !== undefined) return known;
    const building = build(gatewayId);
    running.set(gatewayId, building);
    const live = await building.catch((error: unknown) => {
      running.delete(gatewayId);
      throw error;
    });
    if (live === undefined && running.get(gatewayId) === building) running.delete(gatewayId);
    return live;
  };

  const stop = async (gatewayId: string): Promise<void> => {
    const known = running.get(gatewayId);
    running.delete(gatewayId);
    const live = await known?.catch(() => undefined);
    if (live === undefined) return;
    built.delete(gatewayId);
    await live[Symbol.asyncDispose]();
    onStop(live);
  };

  const reload = async (gatewayId: string): Promise<void> => {
    const live = await running.get(gatewayId)?.catch(() => undefined);
    if (live === undefined) return;
    const found = await read(gatewayId);
    if (found?.gateway.running !== true) await stop(gatewayId);
    else await live.update(found.gateway, found.attachments);
  };

  const reloadAll = () => {
    for (const gatewayId of running.keys()) onChanged(gatewayId);
  };
  const onChanged = (gatewayId: string) => {
    reload(gatewayId).catch((error: unknown) => {
      liveDeps.events.failedCall(gatewayId, 'reload', error);
    });
  };
  const listening = await db.listen(changedChannel, onChanged, reloadAll);
  const renew = async (serverId: string, userId: string) => {
    await Promise.all([...built.values()].map((live) => live.userGrantChanged(serverId, userId)));
  };
  const hearingGrants = await db.listen(grantsChannel, (payload) => {
    const [serverId = '', userId = ''] = payload.split(' ');
    renew(serverId, userId).catch((error: unknown) => liveDeps.events.failedCall('', 'user_grant', error));
  });

  return {
    find,
    peek: (gatewayId) => built.get(gatewayId),
    isStarting: (gatewayId) => starting.has(gatewayId),
    async start(gatewayId) {
      starting.add(gatewayId);
      try {
        const live = await find(gatewayId);
        if (live === undefined) return;
        // Servers that cannot be reached do not hold it up: its status tells of them.
        const ready = Promise.all([live.catalog.list('tools'), live.catalog.list('prompts')]);
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise(
          (resolve) => (timer = setTimeout(resolve, liveDeps.limits.connectTimeoutMs)),
        );
        await Promise.race([ready, late]).finally(() => clearTimeout(timer));
      } finally {
        starting.delete(gatewayId);
      }
    },
    stop,
    async changed(gatewayId) {
      await reload(gatewayId);
      await db.notify(changedChannel, gatewayId);
    },
    async userGrantChanged(serverId, userId) {
      await renew(serverId, userId);
      await db.notify(grantsChannel, `${serverId} ${userId}`);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await listening[Symbol.asyncDispose]();
      await hearingGrants[Symbol.asyncDispose]();
      await Promise.all([...running.keys()].map(stop));
    },
  };
}
