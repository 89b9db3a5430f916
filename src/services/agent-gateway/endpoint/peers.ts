/**
 * The gateway processes that share one database. A legacy session is held by one process, which its id names; other
 * processes forward requests to it, so load balancers do not need sticky sessions.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { deadAfterSeconds } from '../guarding/approvals/ended-processes.ts';
import { deleteProcess, findAddress, saveProcess } from './peers-store.ts';

export interface Peers extends AsyncDisposable {
  /** Names this process among those on the database. */
  readonly processId: string;
  /** Creates a session id that names this process. */
  newSessionId(): string;
  /**
   * Finds the other process that holds the session.
   * @returns undefined for a session of this process, and if the process ended or never existed
   */
  addressOf(sessionId: string): Promise<string | undefined>;
  /** Creates a short-lived proof that the request was forwarded by a gateway process. */
  pass(sessionId: string): string;
  /**
   * Whether the request was forwarded by a gateway process: it is not forwarded again, and was already counted for rate
   * limits.
   */
  isPassedOn(pass: string | undefined, sessionId: string): boolean;
  /** Starts to announce that this process is reachable. */
  begin(address: string): Promise<void>;
}

export interface PeersDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Secret shared by all processes. */
  readonly secret: string;
  readonly onError: (error: unknown) => void;
}

const heartbeatMs = 10_000;
const passMs = 30_000;

const processOf = (sessionId: string): string | undefined => /^([\w-]{16})\.[\w-]{32}$/.exec(sessionId)?.[1];

export function openPeers({ db, clock, secret, onError }: PeersDeps): Peers {
  const processId = randomBytes(12).toString('base64url');
  const key = createHmac('sha256', secret).update('bulwark agent gateway: passing sessions on').digest();
  let heartbeat: NodeJS.Timeout | undefined;

  const sign = (sessionId: string, untilMs: number): Buffer =>
    createHmac('sha256', key).update(`${sessionId}\0${untilMs}`).digest();

  return {
    processId,
    newSessionId: () => `${processId}.${randomBytes(24).toString('base64url')}`,
    async addressOf(sessionId) {
      const owner = processOf(sessionId);
      if (owner === undefined || owner === processId) return undefined;
      return findAddress(db, owner, deadAfterSeconds);
    },
    pass(sessionId) {
      const untilMs = clock.now() + passMs;
      return `${untilMs}.${sign(sessionId, untilMs).toString('base64url')}`;
    },
    isPassedOn(pass, sessionId) {
      const [, until, signature] = /^(\d{1,16})\.([\w-]{43})$/.exec(pass ?? '') ?? [];
      if (until === undefined || signature === undefined) return false;
      const isNow = Math.abs(Number(until) - clock.now()) <= 2 * passMs;
      return isNow && timingSafeEqual(Buffer.from(signature, 'base64url'), sign(sessionId, Number(until)));
    },
    async begin(address) {
      const say = () => saveProcess(db, processId, address);
      heartbeat ??= setInterval(() => void say().catch(onError), heartbeatMs).unref();
      await say();
    },
    async [Symbol.asyncDispose]() {
      if (heartbeat === undefined) return;
      clearInterval(heartbeat);
      await deleteProcess(db, processId).catch(onError);
    },
  };
}
