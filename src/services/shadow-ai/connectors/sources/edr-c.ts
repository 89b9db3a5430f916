/**
 * SentinelOne (`edr-c`): long-running queries of the data lake; a console that does not know them is asked by Deep
 * Visibility. An answer that reaches the cap of rows, or that was cut off, is asked for in halves.
 */
import { createSourceClient } from './client.ts';
import { deepVisibility } from './edr-c-deep-visibility.ts';
import type { ConsoleEvent, Interface, Stream } from './edr-c-event.ts';
import { longRunning } from './edr-c-long-running.ts';
import { addressesIn, createNamer, lookUpMs, readLookUps } from './named-connections.ts';
import { asOcsf, type Told } from './rows.ts';
import { type Access, full, none, partial, type SourceKind } from './source.ts';
import { inHalves, newestOf } from './windows.ts';

/** The interface that the console has, unless the setting says it. */
async function choose(access: Access): Promise<{ ask: Interface; skewMs: () => number }> {
  const client = createSourceClient(access);
  if (access.settings.api === 'deep_visibility')
    return { ask: deepVisibility(access, client), skewMs: client.skewMs };
  const ask = longRunning(access, client);
  if ((await ask.isThere()) || access.settings.api === 'long_running')
    return { ask: ask.read, skewMs: client.skewMs };
  return { ask: deepVisibility(access, client), skewMs: client.skewMs };
}

export const edrC: SourceKind = {
  streams: ['process', 'network', 'file', 'dns'],
  coverage: {
    processes: full(),
    connections: partial('Connections are reported by address; hosts come from the look-ups before them.'),
    file_writes: full(),
    file_reads: none('The agent does not report reads of files.'),
    lookups: partial('A look-up is often attributed to the resolver of the system.'),
  },
  async open(access) {
    const { ask, skewMs } = await choose(access);
    return {
      skewMs,
      async *read(stream, from, to) {
        yield* inHalves(from, to, async (start, end) => {
          const answer = await ask(stream as Stream, start, end);
          const name =
            stream === 'network' && answer.rows.length > 0 ? await namerFor(ask, start, end) : undefined;
          return {
            ...answer,
            newestMs: newestOf(answer.rows.map(({ atMs }) => atMs)),
            rows: answer.rows.map((row) => asOcsf(toldOf(stream as Stream, row, name))),
          };
        });
      },
    };
  },
};

type Namer = ReturnType<typeof createNamer>;

async function namerFor(ask: Interface, from: Date, to: Date) {
  const start = new Date(from.getTime() - lookUpMs);
  const read = () => inHalves(start, to, (first, last) => ask('dns', first, last));
  return createNamer(
    await readLookUps(read, (row) => ({
      device: row.device ?? '',
      process: row.processUid ?? '',
      atMs: row.atMs,
      host: row.request ?? '',
      addresses: addressesIn(row.response),
    })),
  );
}

function toldOf(stream: Stream, row: ConsoleEvent, name: Namer | undefined): Told {
  const common = {
    dimension: stream,
    at: row.atMs,
    id: row.id,
    device: { uid: row.device, name: row.deviceName, os: row.os },
  };
  const process = {
    uid: row.processUid,
    image: row.image,
    commandLine: row.commandLine,
    user: row.user,
    parentUid: row.parentUid,
    parentCommandLine: row.parentCommandLine,
  };
  if (stream === 'process')
    return {
      ...common,
      process: {
        uid: row.targetUid,
        image: row.targetImage,
        commandLine: row.targetCommandLine,
        user: row.targetUser ?? row.user,
      },
      parent: process,
    };
  if (stream === 'dns') return { ...common, process, host: row.request };
  if (stream === 'file') {
    const action = /create|creation/i.test(row.kind ?? '') ? 'Create' : 'Update';
    return { ...common, process, filePath: row.filePath, action };
  }
  return { ...common, process, ip: row.ip, port: row.port, ...directionOf(row, name) };
}

function directionOf(row: ConsoleEvent, name: Namer | undefined) {
  if (/^in/i.test(row.direction ?? '') || /listen/i.test(row.kind ?? '')) return { inbound: true };
  const { device = '', processUid = '', atMs, ip = '' } = row;
  return { host: name?.({ device, process: processUid, atMs, ip }) };
}
