import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import type { NeutralEvent, NeutralProcess } from './neutral.ts';
import { answerToken, bodyOf, json, type Personality, type Reply, type World } from './world.ts';

/** The queries that are understood; any other is refused aloud. */
const eventQuery =
  /^(Device\w+Events|DeviceEvents) \| where Timestamp >= datetime\(([^)]+)\) and Timestamp < datetime\(([^)]+)\)(?: \| where ActionType (==|!=) '(\w+)')? \| order by Timestamp asc, ReportId asc \| take (\d+)$/;
const systemQuery =
  /^DeviceInfo \| where Timestamp >= datetime\([^)]+\) \| summarize arg_max\(Timestamp, OSPlatform\) by DeviceId$/;

type Row = Record<string, unknown>;

/** Microsoft Graph: a token endpoint, and hunting queries. */
export function edrA(world: World): Personality {
  return (request) => {
    if (request.path.endsWith('/oauth2/v2.0/token')) return answerToken(world, request, 200);
    if (!request.path.endsWith('/security/runHuntingQuery')) return json(404, {});
    if (!world.isValid(request.headers['authorization']))
      return json(401, { error: { code: 'InvalidAuthenticationToken' } });
    return answerQuery(world, String(bodyOf(request)['Query']));
  };
}

function answerQuery(world: World, query: string): Reply {
  if (systemQuery.test(query)) return answer(world, systems(world));
  const [, table, from = '', to = '', comparison, type, take] = eventQuery.exec(query) ?? [];
  if (table === undefined)
    return json(400, { error: { code: 'BadRequest', message: 'The query is not understood.' } });
  const rows = world
    .arrived()
    .filter(({ event }) => event.atMs >= Date.parse(from) && event.atMs < Date.parse(to))
    .map(({ event }) => rowOf(event, world))
    .filter((row) => row['Table'] === table)
    .filter(({ ActionType: each }) => comparison === undefined || (each === type) === (comparison === '=='))
    .map((row) => ({ ...row, Table: undefined }));
  return answer(world, world.rows(query, rows).slice(0, Number(take)));
}

/** Two forms are known: older answers write `Name` and `Type` in the schema, and `Results`. */
const answer = (world: World, rows: readonly Row[]): Reply =>
  json(
    200,
    world.has('drift')
      ? { Schema: [{ Name: 'Timestamp', Type: 'DateTime' }], Results: rows }
      : { schema: [{ name: 'Timestamp', type: 'DateTime' }], results: rows },
  );

function systems(world: World): Row[] {
  const names = { Windows: 'Windows11', macOS: 'macOS', Linux: 'Linux' } as const;
  const devices = new Map(world.arrived().map(({ event }) => [event.device.uid, event.device]));
  return [...devices.values()].map(({ uid, os }) => ({ DeviceId: uid, OSPlatform: names[os] }));
}

/** Seven digits of a fraction, as the tables have them. */
const timeOf = (ms: number) => new Date(ms).toISOString().replace('Z', '0000Z');

function folderOf(path: string): string {
  return path.slice(0, path.length - fileNameOf(path).length).replace(/[\\/]$/, '');
}

const initiator = (process: NeutralProcess | undefined): Row =>
  process === undefined
    ? {}
    : {
        InitiatingProcessId: process.pid,
        InitiatingProcessCreationTime: timeOf(process.startedMs),
        InitiatingProcessFileName: fileNameOf(process.image),
        InitiatingProcessFolderPath: process.image,
        InitiatingProcessCommandLine: process.commandLine,
        InitiatingProcessAccountName: process.user,
        ...(process.parent && {
          InitiatingProcessParentId: process.parent.pid,
          InitiatingProcessParentCreationTime: timeOf(process.parent.startedMs),
          InitiatingProcessParentFileName: fileNameOf(process.parent.image),
        }),
      };

function rowOf(event: NeutralEvent, world: World): Row {
  const { process } = event;
  const common = {
    Timestamp: timeOf(event.atMs),
    ReportId: event.id,
    DeviceId: event.device.uid,
    DeviceName: event.device.name,
  };
  if (event.dimension === 'process')
    return {
      Table: 'DeviceProcessEvents',
      ...common,
      ActionType: 'ProcessCreated',
      ProcessId: process.pid,
      ProcessCreationTime: timeOf(process.startedMs),
      FileName: fileNameOf(process.image),
      FolderPath: process.image,
      ProcessCommandLine: process.commandLine,
      AccountName: process.user,
      ...initiator(process.parent),
    };
  if (event.dimension === 'file')
    return {
      // Reads are in no table.
      Table: event.action === 'Read' ? 'none' : 'DeviceFileEvents',
      ...common,
      ActionType: event.action === 'Create' ? 'FileCreated' : 'FileModified',
      FileName: fileNameOf(event.filePath ?? ''),
      FolderPath: folderOf(event.filePath ?? ''),
      ...initiator(process),
    };
  if (event.dimension === 'dns')
    return world.has('drift')
      ? {
          Table: 'DeviceNetworkEvents',
          ...common,
          ActionType: 'DnsConnectionInspected',
          AdditionalFields: JSON.stringify({ query: event.host }),
          ...initiator(process),
        }
      : {
          Table: 'DeviceEvents',
          ...common,
          ActionType: 'DnsQueryResponse',
          AdditionalFields: JSON.stringify({ DnsQueryString: event.host }),
          ...initiator(process),
        };
  return {
    Table: 'DeviceNetworkEvents',
    ...common,
    ActionType: event.inbound === true ? 'InboundConnectionAccepted' : 'ConnectionSuccess',
    RemoteIP: event.ip,
    ...(event.inbound === true
      ? { LocalPort: event.port }
      : { RemotePort: event.port, RemoteUrl: event.host === undefined ? '' : `https://${event.host}/v1` }),
    ...initiator(process),
  };
}
