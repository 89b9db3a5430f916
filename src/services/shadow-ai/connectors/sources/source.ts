import type { Clock } from '#base/clock.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { ConnectorSettings } from '../credentials.ts';

/** What a source needs to be asked. */
export interface Access {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: ConnectorSettings;
  readonly signal: AbortSignal;
  /** Hosts of AI providers that programs ask, for sources that are asked host by host. */
  readonly apiHosts: readonly string[];
}

/** A part of a window; its rows are in the form that push ingestion takes, unless said otherwise. */
export interface SourceBatch<Row = object> {
  readonly rows: readonly Row[];
  /** Of the newest row, in the time that the source is asked by; undefined where the source is not asked by time. */
  readonly newestMs: number | undefined;
}

/** An open source. */
export interface Source {
  /** How far its clock is ahead of ours. */
  readonly skewMs: () => number;
  /**
   * The rows of a window, in parts; all of them, or it throws.
   * @throws AppError 429 with Retry-After, 502 or 504 where the source does not answer as it should
   */
  read(stream: string, from: Date, to: Date): AsyncGenerator<SourceBatch>;
}

/** How much a kind tells. */
export type Sight = 'full' | 'partial' | 'none';

export const sights = ['processes', 'connections', 'file_writes', 'file_reads', 'lookups'] as const;
export type SightOf = (typeof sights)[number];

export interface SourceKind {
  readonly streams: readonly string[];
  /** What it sees of endpoints, and why not all. */
  readonly coverage: Readonly<Record<SightOf, { readonly sight: Sight; readonly note: string }>>;
  /** A stream that is not read more often than that. */
  readonly slowestMs?: Readonly<Record<string, number>>;
  /** Signs in. @throws AppError as {@link Source.read} */
  readonly open: (access: Access) => Promise<Source>;
}

export const full = (note = '') => ({ sight: 'full' as const, note });
export const partial = (note: string) => ({ sight: 'partial' as const, note });
export const none = (note: string) => ({ sight: 'none' as const, note });
