import type { FactRank } from '#engine/shadow-ai/processes.ts';
import { normalHost } from '#engine/shadow-ai/hosts.ts';
import {
  fileNameOf,
  type Dimension,
  type ProcessFacts,
  type TelemetryEvent,
} from '#engine/shadow-ai/telemetry.ts';
import { idAndNumberOf, idOf } from './ids.ts';

/** A row that was understood. */
export interface Incoming {
  readonly device: { readonly uid: string; readonly name: string; readonly os: string | undefined };
  readonly event: TelemetryEvent;
  /** Equal for rows that say the same. */
  readonly content: number;
  /** How far what it tells of the event's process is to be trusted. */
  readonly rank: FactRank;
  /** What it tells of the parent of that process. */
  readonly parent: ProcessFacts | undefined;
  /** It only tells of a process that was there before, such as its end. */
  readonly factsOnly: boolean;
}

/** Why a row is refused. */
export class RowProblem extends Error {
  override readonly name = 'RowProblem';
}

type Fields = Readonly<Record<string, unknown>>;

const classes: Record<string, Dimension> = {
  1007: 'process',
  4001: 'network',
  4002: 'network',
  1001: 'file',
  4003: 'dns',
};
const classNames: [RegExp, Dimension][] = [
  [/^process/i, 'process'],
  [/^(?:network|http)/i, 'network'],
  [/^file/i, 'file'],
  [/^dns/i, 'dns'],
];

const longest = { text: 1024, path: 8192, command: 32_768 };
const dayMs = 86_400_000;
const firstMs = Date.UTC(2000, 0, 1);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

function textOf(value: unknown, most = longest.text): string | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value === '') return undefined;
  return value.slice(0, most);
}

/**
 * Reads a row of OCSF process, network, file or DNS activity.
 * @throws RowProblem with the reason
 */
export function readRow(value: unknown, nowMs: number): Incoming {
  if (!isFields(value)) throw new RowProblem('it is not a JSON object');
  const dimension = dimensionOf(value);
  const atMs = timeOf(value['time'], nowMs);
  const device = deviceOf(value);
  const actor = fieldsOf(fieldsOf(value['actor'])['process']);
  const subject = dimension === 'process' ? fieldsOf(value['process']) : actor;
  const parent =
    dimension === 'process' && Object.keys(actor).length > 0 ? actor : fieldsOf(subject['parent_process']);
  const user = userOf(value, subject, dimension);
  const uid = processUid(subject);
  if (uid === undefined)
    throw new RowProblem(
      dimension === 'process'
        ? "'process' needs a uid, a pid or a file"
        : "'actor.process' needs a uid, a pid or a file: without it nobody knows who did this",
    );
  const parentUid = processUid(parent);
  const process = {
    image: imageOf(subject),
    commandLine: commandOf(subject),
    uid,
    parentUid,
    parentCommandLine: commandOf(parent),
    user,
  };
  const details = detailsOf(dimension, value);
  const plain = { dimension, atMs, deviceUid: device.uid, user, ...details };
  const content = idAndNumberOf(JSON.stringify([plain, process]));
  const given = textOf(fieldsOf(value['metadata'])['uid']);
  const key =
    given === undefined ? content.id : idOf(JSON.stringify([device.uid, dimension, given, uid, atMs]));
  return {
    device,
    event: { ...plain, key, process },
    content: content.number,
    rank: rankOf(dimension, value),
    parent: parentUid === undefined ? undefined : parentFacts(parentUid, parent),
    factsOnly: dimension === 'process' && isEnd(value),
  };
}

const isEnd = ({ activity_id: id, activity_name: name }: Fields): boolean =>
  id === 2 || (typeof name === 'string' && /^terminat/i.test(name));

const rankOf = (dimension: Dimension, value: Fields): FactRank =>
  dimension === 'process' && !isEnd(value) ? 0 : 1;

function parentFacts(uid: string, parent: Fields): ProcessFacts {
  const parentUid = processUid(fieldsOf(parent['parent_process']));
  const user = textOf(fieldsOf(parent['user'])['name']);
  return { uid, parentUid, image: imageOf(parent), commandLine: commandOf(parent), user };
}

function dimensionOf({ class_uid: uid, class_name: name }: Fields): Dimension {
  const byUid = typeof uid === 'number' || typeof uid === 'string' ? classes[uid] : undefined;
  const found = byUid ?? classNames.find(([form]) => typeof name === 'string' && form.test(name))?.[1];
  if (found === undefined)
    throw new RowProblem("'class_uid' must be 1007 (process), 4001 (network), 1001 (file) or 4003 (DNS)");
  return found;
}

function timeOf(time: unknown, nowMs: number): number {
  const atMs = typeof time === 'number' ? time : typeof time === 'string' ? Date.parse(time) : Number.NaN;
  if (!Number.isFinite(atMs)) throw new RowProblem("'time' must be milliseconds since 1970 or ISO 8601");
  if (atMs < firstMs)
    throw new RowProblem("'time' lies before the year 2000; give milliseconds, not seconds");
  if (atMs > nowMs + dayMs) throw new RowProblem("'time' lies more than a day in the future");
  return Math.floor(atMs);
}

function deviceOf({ device }: Fields): Incoming['device'] {
  const fields = fieldsOf(device);
  const name = textOf(fields['hostname']) ?? textOf(fields['name']);
  const uid = textOf(fields['uid']) ?? name;
  if (uid === undefined) throw new RowProblem("'device' needs a uid or a hostname");
  const { os } = fields;
  return {
    uid,
    name: name ?? uid,
    os: typeof os === 'string' ? textOf(os) : (textOf(fieldsOf(os)['name']) ?? textOf(fieldsOf(os)['type'])),
  };
}

function imageOf(process: Fields): string | undefined {
  const file = fieldsOf(process['file']);
  const path = textOf(file['path'], longest.path);
  const name = textOf(process['name']) ?? textOf(file['name']);
  if (path === undefined) return name;
  // Some sources give the folder in the path, and the file name beside it.
  return name === undefined || fileNameOf(path) !== '' ? path : path + name;
}

const commandOf = (process: Fields): string | undefined => textOf(process['cmd_line'], longest.command);

/** The uid of a process, or what comes nearest to one. */
function processUid(process: Fields): string | undefined {
  const uid = textOf(process['uid']);
  if (uid !== undefined) return uid;
  const name = fileNameOf(imageOf(process) ?? '').toLowerCase();
  const pid = textOf(process['pid']);
  if (pid !== undefined) return `pid:${pid}:${name}`;
  return name === '' ? undefined : `name:${name}`;
}

function userOf(value: Fields, process: Fields, dimension: Dimension): string | undefined {
  const named = (user: unknown) => textOf(fieldsOf(user)['name']) ?? textOf(fieldsOf(user)['uid']);
  const actor = fieldsOf(value['actor']);
  return (
    named(process['user']) ??
    named(actor['user']) ??
    (dimension === 'process' ? named(fieldsOf(actor['process'])['user']) : undefined) ??
    named(value['user'])
  );
}

type Details = Partial<Pick<TelemetryEvent, 'host' | 'ip' | 'port' | 'inbound' | 'filePath' | 'action'>>;

function detailsOf(dimension: Dimension, value: Fields): Details {
  const action = textOf(value['activity_name']);
  if (dimension === 'process') return { action };
  if (dimension === 'file') return fileOf(value, action);
  if (dimension === 'dns') {
    const host = textOf(fieldsOf(value['query'])['hostname']);
    if (host === undefined) throw new RowProblem("'query.hostname' is missing");
    return { host: normalHost(host), action };
  }
  return networkOf(value, action);
}

function fileOf(value: Fields, action: string | undefined): Details {
  const file = fieldsOf(value['file']);
  const filePath = textOf(file['path'], longest.path) ?? textOf(file['name'], longest.path);
  if (filePath === undefined) throw new RowProblem("'file.path' is missing");
  const named = ['', 'Create', 'Read', 'Update', 'Delete', 'Rename'][Number(value['activity_id'] ?? 0)];
  return { filePath, action: action ?? (named === '' ? undefined : named) };
}

function networkOf(value: Fields, action: string | undefined): Details {
  const inbound = isInbound(fieldsOf(value['connection_info'])) || undefined;
  const other = fieldsOf(value['dst_endpoint']);
  const url = fieldsOf(fieldsOf(value['http_request'])['url']);
  const named = textOf(other['hostname']) ?? textOf(other['domain']) ?? textOf(url['hostname']);
  const ip = textOf(inbound ? fieldsOf(value['src_endpoint'])['ip'] : other['ip']);
  if (named === undefined && ip === undefined)
    throw new RowProblem("'dst_endpoint' needs a hostname, a domain or an ip");
  const host = named === undefined ? undefined : normalHost(named);
  return { host, ip, port: portOf(other['port']), inbound, action };
}

function portOf(value: unknown): number | undefined {
  const port = Number(value ?? Number.NaN);
  return Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : undefined;
}

const isInbound = ({ direction_id: id, direction }: Fields): boolean =>
  id === 1 || (typeof direction === 'string' && /^in/i.test(direction));
