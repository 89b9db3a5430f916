import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import { asPushRow, type NeutralEvent } from './neutral.ts';
import type { PersonalityName } from './simulator.ts';

/**
 * What a source of the kind can tell of the events, in the form of push ingestion: all but reads of files, or, of `edr-b`,
 * starts that it raised an alert for, applications in use, and devices that asked a provider.
 * @param apiHosts that `edr-b` is asked for
 */
export function seenBy(
  kind: PersonalityName,
  events: readonly NeutralEvent[],
  apiHosts: readonly string[],
): object[] {
  if (kind !== 'edr-b') return events.filter(({ action }) => action !== 'Read').map(asPushRow);
  const asked = new Set(apiHosts);
  const last = new Map<string, NeutralEvent>();
  for (const event of events)
    if (event.dimension === 'dns' && asked.has(event.host ?? ''))
      last.set(`${event.device.uid} ${event.host}`, event);
  return [
    ...events.filter(({ dimension, process }) => dimension === 'process' && process.alerts).map(asPushRow),
    ...events.filter(({ dimension, process }) => dimension === 'process' && process.listed).map(asUse),
    ...[...last.values()].map(asAsked),
  ];
}

const about = ({ device }: NeutralEvent) => ({
  uid: device.uid,
  hostname: device.name,
  os: { name: device.os },
});

const asUse = (event: NeutralEvent): object => ({
  time: event.atMs,
  class_uid: 1007,
  activity_id: 1,
  device: about(event),
  process: {
    uid: `use:${event.id}`,
    file: { path: fileNameOf(event.process.image) },
    user: { name: event.process.user },
  },
});

const asAsked = (event: NeutralEvent): object => ({
  time: event.atMs,
  class_uid: 4001,
  device: about(event),
  actor: { process: { uid: '(unknown)', file: { path: '(unknown)' } } },
  dst_endpoint: { hostname: event.host },
});
