import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { createTagger } from '#engine/shadow-ai/tags.ts';
import { type Dimension, programNameOf, type TelemetryEvent } from '#engine/shadow-ai/telemetry.ts';
import type { Incoming } from './read-row.ts';

/** An event as it is kept. */
export interface StoredEvent {
  readonly id: string;
  readonly content: number;
  readonly at: Date;
  readonly dimension: Dimension;
  readonly processId: string;
  readonly deviceUid: string;
  readonly connectorId: string;
  readonly userName: string | null;
  readonly appName: string | null;
  /** Of the start of a process. */
  readonly commandLine: string | null;
  readonly host: string | null;
  readonly ip: string | null;
  readonly port: number | null;
  readonly inbound: boolean | null;
  readonly filePath: string | null;
  readonly action: string | null;
  readonly providerId: string | null;
  /** A program that connects there uses the provider, and does not merely show its pages. */
  readonly isApi: boolean;
  /** The rule that the written file makes a detection of. */
  readonly fileRule: string | null;
  readonly tags: readonly string[];
}

/** Of two rows of one event: the one that names the host, else the one with the smaller content. */
export function tellsMore(
  one: Pick<StoredEvent, 'host' | 'content'>,
  other: Pick<StoredEvent, 'host' | 'content'>,
): boolean {
  const [named, otherNamed] = [one.host !== null, other.host !== null];
  return named === otherNamed ? one.content < other.content : named;
}

export type EventMaker = (row: Incoming, processId: string, connectorId: string) => StoredEvent;

/** Makes events as they are kept: with the provider, the rule of a file and the tags that the catalogue knows. */
export function eventMaker(matcher: Matcher): EventMaker {
  const tagsOf = createTagger(matcher.catalogue, matcher);
  const fileRuleOf = ({ dimension, filePath, action }: TelemetryEvent) =>
    dimension === 'file' && !leavesAlone.test(action ?? '')
      ? orNull(matcher.matchFile(filePath ?? '')?.id)
      : null;

  return ({ event, content }, processId, connectorId) => {
    const { dimension, host, inbound, process } = event;
    return {
      id: event.key,
      content,
      at: new Date(event.atMs),
      dimension,
      processId,
      deviceUid: event.deviceUid,
      connectorId,
      userName: orNull(event.user),
      appName: programNameOf(process.image ?? '') || null,
      commandLine: dimension === 'process' ? orNull(process.commandLine) : null,
      host: orNull(host),
      ip: orNull(event.ip),
      port: orNull(event.port),
      inbound: orNull(inbound),
      filePath: orNull(event.filePath),
      action: orNull(event.action),
      providerId: host === undefined ? null : orNull(matcher.findProvider(host)?.id),
      isApi: host !== undefined && inbound !== true && matcher.isApiHost(host),
      fileRule: fileRuleOf(event),
      tags: tagsOf(event),
    };
  };
}

const leavesAlone = /^(?:read|open|delete)/i;
const orNull = <T>(value: T | undefined): T | null => value ?? null;
