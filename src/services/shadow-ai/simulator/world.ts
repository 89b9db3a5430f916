import type { NeutralEvent } from './neutral.ts';

/** What can be made to go wrong. */
export const faultNames = [
  'token-expiry',
  'rate-limit',
  'job-expiry',
  'silent-empty',
  'late',
  'doubled',
  'restart',
  'drift',
  'clock-skew',
] as const;
export type Fault = (typeof faultNames)[number];

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An answer; undefined: the connection breaks off, as of a server that ends. */
export type Reply =
  | { readonly status: number; readonly json?: unknown; readonly headers?: Readonly<Record<string, string>> }
  | undefined;

export type Personality = (request: Request) => Reply;

/** What a source has, and what goes wrong with it. */
export interface World {
  readonly has: (fault: Fault) => boolean;
  /** Its clock. */
  readonly now: () => number;
  /** The events that have arrived, with when each did. */
  arrived(): { readonly event: NeutralEvent; readonly arrivedMs: number }[];
  /** Rows as they are answered: doubled, or none where the first answer to a question is silently empty. */
  rows<T>(question: string, rows: readonly T[], isFirstPage?: boolean): T[];
  /** Tokens of the source. */
  issueToken(): string;
  isValid(authorization: string | undefined): boolean;
  /** Jobs of queries; one that has expired is unknown. */
  startJob<T>(question: string, job: T): string;
  findJob<T>(id: string): T | undefined;
}

/** A fifth of the events arrives only when the late ones do. */
const isLate = ({ id }: NeutralEvent) => id % 5 === 2;

/** A secret and a token that only a simulator accepts. */
export const simulatorSecret = 'simulator-secret';

export interface WorldSettings {
  readonly events: readonly NeutralEvent[];
  readonly faults: readonly Fault[];
  readonly clock: () => number;
}

export interface OpenWorld {
  readonly world: World;
  /** What is late arrives now. */
  readonly arriveLate: () => void;
  /** As a restart does: tokens and jobs are gone. */
  readonly forget: () => void;
}

export function createWorld({ events, faults, clock }: WorldSettings): OpenWorld {
  const has = (fault: Fault) => faults.includes(fault);
  const startedMs = clock();
  const now = () => clock() - (has('clock-skew') ? 600_000 : 0);
  let lateAtMs: number | undefined;
  const asked = new Set<string>();
  const expired = new Set<string>();
  const tokens = new Map<string, number>();
  const jobs = new Map<string, { job: unknown; question: string }>();
  let [issued, started] = [0, 0];
  const world: World = {
    has,
    now,
    arrived: () =>
      events.flatMap((event) => {
        if (!has('late') || !isLate(event))
          return [{ event, arrivedMs: Math.min(event.atMs + 2000, startedMs) }];
        return lateAtMs === undefined ? [] : [{ event, arrivedMs: lateAtMs }];
      }),
    rows(question, rows, isFirstPage = true) {
      const isNew = isFirstPage && !asked.has(question);
      asked.add(question);
      if (has('silent-empty') && isNew) return [];
      return has('doubled') ? rows.flatMap((row) => [row, row]) : [...rows];
    },
    issueToken() {
      issued += 1;
      const token = `simulated-token-${issued}`;
      tokens.set(token, has('token-expiry') ? 3 : Infinity);
      return token;
    },
    isValid(authorization) {
      const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '';
      const left = tokens.get(token) ?? 0;
      tokens.set(token, left - 1);
      return left > 0;
    },
    startJob(question, job) {
      started += 1;
      const id = `job-${started}`;
      jobs.set(id, { job, question });
      return id;
    },
    findJob<T>(id: string) {
      const known = jobs.get(id);
      if (known === undefined) return undefined;
      // The first job of each question.
      if (has('job-expiry') && !expired.has(known.question)) {
        expired.add(known.question);
        jobs.delete(id);
        return undefined;
      }
      return known.job as T;
    },
  };
  return {
    world,
    arriveLate() {
      // A second ago: the source tells its time in whole seconds, and is asked for no later ones.
      lateAtMs = now() - 1000;
    },
    forget() {
      tokens.clear();
      jobs.clear();
    },
  };
}

export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Reply => ({
  status,
  json: body,
  headers,
});

/** The body as JSON; an empty object where it is none. */
export function bodyOf({ body }: Request): Record<string, unknown> {
  try {
    return JSON.parse(body) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** The token endpoint of sources that take client credentials. */
export function answerToken(world: World, { body }: Request, status: number): Reply {
  const form = new URLSearchParams(body);
  if (form.get('client_secret') !== simulatorSecret) return json(401, { error: 'invalid_client' });
  return json(status, { token_type: 'bearer', expires_in: 1799, access_token: world.issueToken() });
}
