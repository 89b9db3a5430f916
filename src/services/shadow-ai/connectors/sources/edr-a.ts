/**
 * Microsoft Graph advanced hunting (`edr-a`): KQL over tables of endpoint events. There is no paging: a window whose
 * answer reaches the cap of rows is halved.
 */
import { AppError } from '#base/errors.ts';
import {
  bad,
  clientCredentials,
  createSourceClient,
  type Fields,
  fieldsOf,
  isFields,
  textOf,
  withToken,
  type Answer,
  type Question,
} from './client.ts';
import { asOcsf, type Told, type ToldProcess } from './rows.ts';
import { type Access, full, none, partial, type SourceKind } from './source.ts';
import { inHalves, newestOf } from './windows.ts';

/** Rows of one answer; the API gives 100,000 at most, and answers have to fit into memory. */
const mostRows = 10_000;
const needs = 'the credentials and the permission ThreatHunting.Read.All';
const day = 86_400_000;

const queries = {
  process: [['DeviceProcessEvents', '']],
  network: [['DeviceNetworkEvents', " | where ActionType != 'DnsConnectionInspected'"]],
  file: [['DeviceFileEvents', '']],
  dns: [
    ['DeviceEvents', " | where ActionType == 'DnsQueryResponse'"],
    ['DeviceNetworkEvents', " | where ActionType == 'DnsConnectionInspected'"],
  ],
} as const;
type Stream = keyof typeof queries;

export const edrA: SourceKind = {
  streams: Object.keys(queries),
  coverage: {
    processes: full(),
    connections: full(),
    file_writes: full(),
    file_reads: none('The hunting tables have no reads of files.'),
    lookups: partial('Only look-ups that the sensor reports or inspects on the wire.'),
  },
  async open(access) {
    const client = createSourceClient(access);
    const { fields, secrets, settings } = access;
    const authority = settings.authority ?? 'https://login.microsoftonline.com';
    const ask = await withToken(access, client, () =>
      clientCredentials(
        client,
        `${authority}/${encodeURIComponent(fields['tenant_id'] ?? '')}/oauth2/v2.0/token`,
        {
          grant_type: 'client_credentials',
          client_id: fields['client_id'] ?? '',
          client_secret: secrets['client_secret'] ?? '',
          scope: 'https://graph.microsoft.com/.default',
        },
      ),
    );
    const run = (query: string) => runQuery(access, ask, query);
    const systems = await readSystems(run, access.clock.now());
    return {
      skewMs: client.skewMs,
      async *read(stream, from, to) {
        for (const [table, filter] of queries[stream as Stream] ?? [])
          yield* inHalves(from, to, async (start, end) => {
            const rows = await run(queryOf(table, filter, start, end));
            return {
              rows: rows.map((row) => asOcsf(toldOf(table, row, systems))),
              newestMs: newestOf(rows.map((row) => Date.parse(textOf(row, 'Timestamp') ?? ''))),
              complete: rows.length < mostRows,
              because: `${table} has ${mostRows} rows or more`,
            };
          });
      },
    };
  },
};

const queryOf = (table: string, filter: string, from: Date, to: Date): string =>
  `${table} | where Timestamp >= datetime(${from.toISOString()}) and Timestamp < datetime(${to.toISOString()})` +
  `${filter} | order by Timestamp asc, ReportId asc | take ${mostRows}`;

/** The operating systems of devices, which events do not tell; without the right to read them they stay unknown. */
async function readSystems(
  run: (query: string) => Promise<Fields[]>,
  nowMs: number,
): Promise<ReadonlyMap<string, string>> {
  const since = new Date(nowMs - 7 * day).toISOString();
  try {
    const rows = await run(
      `DeviceInfo | where Timestamp >= datetime(${since}) | summarize arg_max(Timestamp, OSPlatform) by DeviceId`,
    );
    return new Map(rows.map((row) => [textOf(row, 'DeviceId') ?? '', textOf(row, 'OSPlatform') ?? '']));
  } catch (error) {
    if (error instanceof AppError && (error.code === 'upstream_400' || error.code === 'upstream_403'))
      return new Map();
    throw error;
  }
}

async function runQuery(
  { settings }: Access,
  ask: (url: string, question: Question) => Promise<Answer>,
  query: string,
): Promise<Fields[]> {
  const url = `${settings.apiUrl ?? 'https://graph.microsoft.com/v1.0'}/security/runHuntingQuery`;
  const { json } = await ask(url, { method: 'POST', body: { Query: query }, needs });
  const results = json['results'] ?? json['Results'];
  if (!Array.isArray(results))
    throw bad('The answer of the hunting query has no results; its form may have changed.');
  return results.filter(isFields);
}

/** A process instance is pid and creation time. */
const uidOf = (row: Fields, id: string, created: string): string | undefined => {
  const pid = textOf(row, id);
  return pid === undefined ? undefined : `${pid}:${textOf(row, created) ?? ''}`;
};

function pathOf(row: Fields, folder: string, file: string): string | undefined {
  const [path, name] = [textOf(row, folder), textOf(row, file)];
  if (path === undefined || name === undefined) return path ?? name;
  if (path.toLowerCase().endsWith(name.toLowerCase())) return path;
  return `${path.replace(/[\\/]$/, '')}${path.includes('\\') ? '\\' : '/'}${name}`;
}

const initiator = (row: Fields): ToldProcess => ({
  uid: uidOf(row, 'InitiatingProcessId', 'InitiatingProcessCreationTime'),
  image: pathOf(row, 'InitiatingProcessFolderPath', 'InitiatingProcessFileName'),
  commandLine: textOf(row, 'InitiatingProcessCommandLine'),
  user: textOf(row, 'InitiatingProcessAccountUpn') ?? textOf(row, 'InitiatingProcessAccountName'),
  parentUid: uidOf(row, 'InitiatingProcessParentId', 'InitiatingProcessParentCreationTime'),
  parentName: textOf(row, 'InitiatingProcessParentFileName'),
});

const started = (row: Fields): ToldProcess => ({
  uid: uidOf(row, 'ProcessId', 'ProcessCreationTime'),
  image: pathOf(row, 'FolderPath', 'FileName'),
  commandLine: textOf(row, 'ProcessCommandLine'),
  user: textOf(row, 'AccountUpn') ?? textOf(row, 'AccountName'),
});

function additional(row: Fields): Fields {
  const given = row['AdditionalFields'];
  if (isFields(given)) return given;
  try {
    return fieldsOf(JSON.parse(textOf(row, 'AdditionalFields') ?? '{}'));
  } catch {
    return {};
  }
}

function toldOf(table: string, row: Fields, systems: ReadonlyMap<string, string>): Told {
  const uid = textOf(row, 'DeviceId');
  const report = textOf(row, 'ReportId');
  const common = {
    at: textOf(row, 'Timestamp'),
    id: report && `${table}:${report}`,
    device: { uid, name: textOf(row, 'DeviceName'), os: systems.get(uid ?? '') ?? textOf(row, 'OSPlatform') },
  };
  const action = textOf(row, 'ActionType') ?? '';
  if (table === 'DeviceProcessEvents')
    return { ...common, dimension: 'process', process: started(row), parent: initiator(row) };
  const process = initiator(row);
  if (table === 'DeviceFileEvents')
    return {
      ...common,
      dimension: 'file',
      process,
      action: action.replace(/^File/, ''),
      filePath: pathOf(row, 'FolderPath', 'FileName'),
    };
  const fields = additional(row);
  if (table === 'DeviceEvents' || action === 'DnsConnectionInspected')
    return {
      ...common,
      dimension: 'dns',
      process,
      host: textOf(fields, 'DnsQueryString') ?? textOf(fields, 'query'),
    };
  return { ...common, dimension: 'network', process, action, ...connectionOf(row, action, fields) };
}

function connectionOf(row: Fields, action: string, fields: Fields) {
  const inbound = /^(?:InboundConnection|ListeningConnection)/.test(action);
  const url = textOf(row, 'RemoteUrl') ?? textOf(fields, 'host') ?? textOf(fields, 'server_name');
  return {
    inbound,
    host: inbound ? undefined : url?.replace(/^[a-z]+:\/\//i, '').replace(/[/:?].*$/, ''),
    // What listens has no other side yet.
    ip: textOf(row, 'RemoteIP') ?? (inbound ? textOf(row, 'LocalIP') : undefined),
    port: textOf(row, inbound ? 'LocalPort' : 'RemotePort'),
  };
}
