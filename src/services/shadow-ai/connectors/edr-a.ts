/**
 * Microsoft Graph advanced hunting (`edr-a`): KQL over four tables. There is no paging: a window whose answer reaches
 * the cap of rows is halved.
 */
import type { Outbound } from '#base/net/outbound.ts';
import { AppError } from '#base/errors.ts';
import type { ConnectorSettings } from './credentials.ts';

export interface HuntingAccess {
  readonly outbound: Outbound;
  readonly fields: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly settings: ConnectorSettings;
  readonly signal: AbortSignal;
}

type Columns = Readonly<Record<string, unknown>>;

/** Rows of one answer; the API gives 100,000 at most, and answers have to fit into memory. */
const mostRows = 10_000;
const shortestMs = 1000;
const answerLimitBytes = 128 * 1024 * 1024;
const answerTimeoutMs = 200_000;

const tables = ['DeviceProcessEvents', 'DeviceNetworkEvents', 'DeviceFileEvents', 'DeviceEvents'] as const;
type Table = (typeof tables)[number];

const bad = (detail: string) => new AppError(502, 'upstream_failed', detail);

async function askJson(
  { outbound, signal }: HuntingAccess,
  url: string,
  options: { headers: Record<string, string>; body: string },
): Promise<Columns> {
  const answer = await outbound.exchange(
    url,
    { method: 'POST', ...options, signal, headTimeoutMs: answerTimeoutMs },
    answerLimitBytes,
  );
  if (!('text' in answer)) {
    answer.body.destroy();
    throw refusal(url, answer.status, answer.headers['retry-after']);
  }
  try {
    return JSON.parse(answer.text) as Columns;
  } catch (cause) {
    throw new AppError(502, 'upstream_failed', `${new URL(url).origin} answered with broken JSON.`, {
      cause,
    });
  }
}

/** Says what was refused, and nothing of what was sent. */
function refusal(url: string, status: number, retryAfter: string | string[] | undefined): AppError {
  const { origin } = new URL(url);
  if (status === 429)
    return new AppError(429, 'too_many_requests', `${origin} asks to wait: too many requests.`, {
      headers: { 'retry-after': typeof retryAfter === 'string' ? retryAfter : '60' },
    });
  if (status === 400 || status === 401 || status === 403)
    return bad(
      `${origin} answered ${status}: check the credentials and the permission ThreatHunting.Read.All.`,
    );
  return bad(`${origin} answered ${status}.`);
}

async function tokenOf(access: HuntingAccess): Promise<string> {
  const { fields, secrets, settings } = access;
  const authority = settings.authority ?? 'https://login.microsoftonline.com';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: fields['client_id'] ?? '',
    client_secret: secrets['client_secret'] ?? '',
    scope: 'https://graph.microsoft.com/.default',
  });
  const answer = await askJson(
    access,
    `${authority}/${encodeURIComponent(fields['tenant_id'] ?? '')}/oauth2/v2.0/token`,
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
    },
  );
  const token = answer['access_token'];
  if (typeof token !== 'string' || token === '') throw bad(`${authority} answered without an access token.`);
  return token;
}

const queryOf = (table: Table, from: Date, to: Date): string =>
  `${table} | where Timestamp >= datetime(${from.toISOString()}) and Timestamp < datetime(${to.toISOString()})` +
  `${table === 'DeviceEvents' ? " | where ActionType == 'DnsQueryResponse'" : ''}` +
  ` | order by Timestamp asc, ReportId asc | take ${mostRows}`;

/**
 * The rows of a window in the form that push ingestion takes, in parts.
 * @throws AppError 429 with Retry-After, 502 or 504 where the source does not answer as it should
 */
export async function* hunt(access: HuntingAccess, from: Date, to: Date): AsyncGenerator<object[]> {
  const token = await tokenOf(access);
  for (const table of tables) yield* huntTable(access, token, { table, from, to });
}

async function* huntTable(
  access: HuntingAccess,
  token: string,
  { table, from, to }: { table: Table; from: Date; to: Date },
): AsyncGenerator<object[]> {
  const windows = [{ from, to }];
  for (let window = windows.pop(); window !== undefined; window = windows.pop()) {
    const rows = await runQuery(access, token, queryOf(table, window.from, window.to));
    const lengthMs = window.to.getTime() - window.from.getTime();
    if (rows.length < mostRows) yield rows.map((row) => asTelemetry(table, row));
    else if (lengthMs <= shortestMs)
      throw bad(
        `${table} has ${mostRows} rows or more within ${lengthMs} ms from ${window.from.toISOString()}.`,
      );
    else {
      const middle = new Date(window.from.getTime() + Math.floor(lengthMs / 2));
      windows.push({ from: middle, to: window.to }, { from: window.from, to: middle });
    }
  }
}

async function runQuery(access: HuntingAccess, token: string, query: string): Promise<Columns[]> {
  const url = `${access.settings.apiUrl ?? 'https://graph.microsoft.com/v1.0'}/security/runHuntingQuery`;
  const answer = await askJson(access, url, {
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: JSON.stringify({ Query: query }),
  });
  const results = answer['results'] ?? answer['Results'];
  if (!Array.isArray(results))
    throw bad('The answer of the hunting query has no results; its form may have changed.');
  return results as Columns[];
}

const text = (row: Columns, name: string): string | undefined => {
  const value = row[name];
  return value === null || value === undefined || value === '' ? undefined : String(value as string | number);
};

/** A process instance is device, pid and creation time. */
const uidOf = (row: Columns, id: string, created: string): string | undefined => {
  const pid = text(row, id);
  return pid === undefined ? undefined : `${pid}:${text(row, created) ?? ''}`;
};

function pathOf(row: Columns, folder: string, file: string): string | undefined {
  const [path, name] = [text(row, folder), text(row, file)];
  if (path === undefined || name === undefined) return path ?? name;
  if (path.toLowerCase().endsWith(name.toLowerCase())) return path;
  return `${path.replace(/[\\/]$/, '')}${path.includes('\\') ? '\\' : '/'}${name}`;
}

const initiator = (row: Columns) => ({
  uid: uidOf(row, 'InitiatingProcessId', 'InitiatingProcessCreationTime'),
  file: { path: pathOf(row, 'InitiatingProcessFolderPath', 'InitiatingProcessFileName') },
  cmd_line: text(row, 'InitiatingProcessCommandLine'),
  user: { name: text(row, 'InitiatingProcessAccountUpn') ?? text(row, 'InitiatingProcessAccountName') },
  parent_process: {
    uid: uidOf(row, 'InitiatingProcessParentId', 'InitiatingProcessParentCreationTime'),
    name: text(row, 'InitiatingProcessParentFileName'),
  },
});

function additional(row: Columns): Columns {
  try {
    const fields: unknown = JSON.parse(text(row, 'AdditionalFields') ?? '{}');
    return typeof fields === 'object' && fields !== null ? (fields as Columns) : {};
  } catch {
    return {};
  }
}

/** A row of a hunting table as OCSF. */
function asTelemetry(table: Table, row: Columns): object {
  const common = {
    time: text(row, 'Timestamp'),
    metadata: { uid: text(row, 'ReportId') && `${table}:${text(row, 'ReportId')}` },
    device: {
      uid: text(row, 'DeviceId'),
      hostname: text(row, 'DeviceName'),
      os: { name: text(row, 'OSPlatform') },
    },
  };
  if (table === 'DeviceProcessEvents') return { ...common, ...asProcess(row) };
  const actor = { process: initiator(row) };
  if (table === 'DeviceFileEvents')
    return {
      ...common,
      class_uid: 1001,
      activity_name: text(row, 'ActionType')?.replace(/^File/, ''),
      actor,
      file: { path: pathOf(row, 'FolderPath', 'FileName') },
    };
  const fields = additional(row);
  const isLookUp = table === 'DeviceEvents' || text(row, 'ActionType') === 'DnsConnectionInspected';
  if (isLookUp)
    return {
      ...common,
      class_uid: 4003,
      actor,
      query: { hostname: text(fields, 'DnsQueryString') ?? text(fields, 'query') },
    };
  return { ...common, class_uid: 4001, actor, ...asNetwork(row, fields) };
}

const asProcess = (row: Columns) => ({
  class_uid: 1007,
  activity_id: 1,
  process: {
    uid: uidOf(row, 'ProcessId', 'ProcessCreationTime'),
    file: { path: pathOf(row, 'FolderPath', 'FileName') },
    cmd_line: text(row, 'ProcessCommandLine'),
    user: { name: text(row, 'AccountUpn') ?? text(row, 'AccountName') },
  },
  actor: { process: initiator(row) },
});

function asNetwork(row: Columns, fields: Columns) {
  const action = text(row, 'ActionType') ?? '';
  const inbound = /^(?:InboundConnection|ListeningConnection)/.test(action);
  const url = text(row, 'RemoteUrl') ?? text(fields, 'host') ?? text(fields, 'server_name');
  const hostname = url?.replace(/^[a-z]+:\/\//i, '').replace(/[/:?].*$/, '');
  const port = Number(text(row, inbound ? 'LocalPort' : 'RemotePort') ?? Number.NaN);
  return {
    activity_name: action,
    connection_info: { direction_id: inbound ? 1 : 2 },
    ...(inbound && { src_endpoint: { ip: text(row, 'RemoteIP') } }),
    dst_endpoint: {
      hostname: inbound ? undefined : hostname,
      ip: inbound ? text(row, 'LocalIP') : text(row, 'RemoteIP'),
      ...(Number.isInteger(port) && { port }),
    },
  };
}
