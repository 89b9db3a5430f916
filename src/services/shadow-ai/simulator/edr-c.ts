import { type NeutralEvent, type NeutralProcess, processUid } from './neutral.ts';
import {
  bodyOf,
  json,
  type Personality,
  type Reply,
  type Request,
  simulatorSecret,
  type World,
} from './world.ts';

type Row = Record<string, unknown>;

const lrq = '/sdl/v2/api/queries';
const dv = '/web/api/v2.1/dv';
const powerQuery =
  /^dataSource\.name='SentinelOne' event\.type in \(([^)]*)\) \| columns ([\w., ]+) \| sort \+event\.time \| limit (\d+)$/;
const probe = "dataSource.name='SentinelOne' | columns event.time | limit 1";

interface Job {
  readonly rows: readonly Row[];
  readonly columns: readonly string[];
  readonly tag: string;
  steps: number;
}

export interface ConsoleSettings {
  /** Without long-running queries, as older consoles are. */
  readonly isOld: boolean;
}

/** SentinelOne: long-running queries, and Deep Visibility. */
export function edrC(world: World, { isOld }: ConsoleSettings): Personality {
  return (request) => {
    const { authorization } = request.headers;
    if (request.path.startsWith(dv)) {
      if (authorization !== `ApiToken ${simulatorSecret}`)
        return json(401, { errors: [{ code: 4_010_010 }] });
      return answerDeepVisibility(world, request);
    }
    if (!request.path.startsWith(lrq) || isOld) return json(404, {});
    // The wrong scheme is not refused politely there.
    if (authorization?.startsWith('ApiToken') === true) return json(500, {});
    if (authorization !== `Bearer ${simulatorSecret}`) return json(401, {});
    if (request.method === 'POST') return launch(world, request);
    return poll(world, request);
  };
}

function launch(world: World, request: Request): Reply {
  const { startTime, endTime, pq } = bodyOf(request);
  const query = String((pq as Row | undefined)?.['query']);
  if (query === probe)
    return json(200, { id: 'probe', stepsCompleted: 1, stepsTotal: 1, data: { columns: [], values: [] } });
  const [, types = '', columns, limit] = powerQuery.exec(query) ?? [];
  if (columns === undefined) return json(400, { error: { message: 'The query is not understood.' } });
  const rows = rowsBetween(world, Date.parse(String(startTime)), Date.parse(String(endTime)), types);
  const question = `${types} ${String(startTime)} ${String(endTime)}`;
  const answered = world.rows(question, rows).slice(0, Number(limit));
  const tag = `shard-${rows.length % 7}`;
  const job = { rows: answered, columns: columns.split(', '), tag, steps: 0 };
  const id = world.startJob<Job>(question, job);
  return json(200, view(world, id, job, answered.length === 0), { 'x-dataset-query-forward-tag': tag });
}

/** Two forms are known: `stepsTotal`, and `totalSteps`. */
const view = (world: World, id: string, job: Job, isDone: boolean) => ({
  id,
  stepsCompleted: isDone ? 2 : 1,
  ...(world.has('drift') ? { totalSteps: 2 } : { stepsTotal: 2 }),
  error: null,
  ...(isDone && {
    data: {
      matchCount: job.rows.length,
      columns: job.columns.map((name) => ({ name, cellType: 'STRING' })),
      values: job.rows.map((row) => job.columns.map((name) => row[name] ?? null)),
      omittedEvents: 0,
      partialResultsDueToTimeLimit: false,
    },
  }),
});

function poll(world: World, { path, method, headers }: Request): Reply {
  const id = path.slice(lrq.length + 1);
  if (method === 'DELETE') return { status: 204 };
  const job = world.findJob<Job>(id);
  if (job === undefined || headers['x-dataset-query-forward-tag'] !== job.tag) return json(404, {});
  return json(200, view(world, id, job, true));
}

const typesIn = (list: string) => [...list.matchAll(/["']([^"']+)["']/g)].map(([, type]) => type ?? '');

const rowsBetween = (world: World, fromMs: number, toMs: number, types: string): Row[] =>
  world
    .arrived()
    .filter(({ event }) => event.atMs >= fromMs && event.atMs < toMs)
    .flatMap(({ event }) => rowOf(event, world))
    .filter((row) => typesIn(types).includes(String(row['event.type'])));

/** Consoles write types with spaces or without. Reads of files are not reported. */
function rowOf(event: NeutralEvent, world: World): Row[] {
  const { process, device } = event;
  if (event.action === 'Read') return [];
  const type = typeOf(event);
  return [
    {
      'event.time': event.atMs,
      'event.id': `event-${event.id}`,
      'event.type': world.has('drift') ? type.replaceAll(' ', '') : type,
      'agent.uuid': device.uid,
      'endpoint.name': device.name,
      'endpoint.os': { Windows: 'windows', macOS: 'osx', Linux: 'linux' }[device.os],
      ...sourceOf(event.dimension === 'process' ? process.parent : process),
      ...detailsOf(event),
    },
  ];
}

function typeOf({ dimension, inbound, action }: NeutralEvent): string {
  if (dimension === 'process') return 'Process Creation';
  if (dimension === 'dns') return 'DNS Resolved';
  if (dimension === 'network') return inbound === true ? 'IP Listen' : 'IP Connect';
  return action === 'Create' ? 'File Creation' : 'File Modification';
}

const sourceOf = (source: NeutralProcess | undefined): Row =>
  source === undefined
    ? {}
    : {
        'src.process.uid': processUid(source),
        'src.process.image.path': source.image,
        'src.process.cmdline': source.commandLine,
        'src.process.user': source.user,
        ...(source.parent && {
          'src.process.parent.uid': processUid(source.parent),
          'src.process.parent.cmdline': source.parent.commandLine,
        }),
      };

function detailsOf({ dimension, process, filePath, host, ip, port, inbound }: NeutralEvent): Row {
  if (dimension === 'process')
    return {
      'tgt.process.uid': processUid(process),
      'tgt.process.image.path': process.image,
      'tgt.process.cmdline': process.commandLine,
      'tgt.process.user': process.user,
    };
  if (dimension === 'file') return { 'tgt.file.path': filePath };
  if (dimension === 'dns')
    return {
      'event.dns.request': host,
      'event.dns.response': `type: 5 alias.example.com;::ffff:${ip ?? ''};`,
    };
  return {
    'dst.ip.address': ip,
    'dst.port.number': port,
    'event.network.direction': inbound === true ? 'INCOMING' : 'OUTGOING',
  };
}

const visibilityNames: Readonly<Record<string, string>> = {
  'event.time': 'eventTime',
  'event.id': 'id',
  'event.type': 'eventType',
  'agent.uuid': 'agentUuid',
  'endpoint.name': 'agentName',
  'endpoint.os': 'agentOs',
  'src.process.uid': 'srcProcUid',
  'src.process.parent.uid': 'srcProcParentUid',
  'src.process.image.path': 'srcProcImagePath',
  'src.process.cmdline': 'srcProcCmdLine',
  'src.process.parent.cmdline': 'srcProcParentCmdLine',
  'src.process.user': 'srcProcUser',
  'tgt.process.uid': 'tgtProcUid',
  'tgt.process.image.path': 'tgtProcImagePath',
  'tgt.process.cmdline': 'tgtProcCmdLine',
  'tgt.process.user': 'tgtProcUser',
  'tgt.file.path': 'tgtFilePath',
  'dst.ip.address': 'dstIp',
  'dst.port.number': 'dstPort',
  'event.network.direction': 'direction',
  'event.dns.request': 'dnsRequest',
  'event.dns.response': 'dnsResponse',
};

const asVisibility = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [visibilityNames[name] ?? name, value]));

function answerDeepVisibility(world: World, request: Request): Reply {
  const { path, query } = request;
  if (path === `${dv}/init-query`) {
    const { query: text, fromDate, toDate, limit } = bodyOf(request);
    if (!/^(?:EventType = "[\w ]+"(?: OR |$))+$/.test(String(text)))
      return json(400, { errors: [{ title: 'The query is not understood.' }] });
    const types = String(text);
    const rows = rowsBetween(world, Date.parse(String(fromDate)), Date.parse(String(toDate)), types);
    const question = `${types} ${String(fromDate)} ${String(toDate)}`;
    const answered = world.rows(question, rows).slice(0, Number(limit));
    const job = { rows: answered.map(asVisibility), columns: [], tag: '', steps: 0 };
    return json(200, { data: { queryId: world.startJob<Job>(question, job) } });
  }
  const job = world.findJob<Job>(query.get('queryId') ?? '');
  if (path === `${dv}/query-status`) {
    const state = job === undefined ? 'QUERY_EXPIRED' : job.rows.length === 0 ? 'EMPTY_RESULTS' : 'FINISHED';
    return json(200, { data: { progressStatus: 100, responseState: state, responseError: null } });
  }
  if (path !== `${dv}/events`) return json(404, {});
  if (job === undefined) return json(404, { errors: [{ code: 4_040_010 }] });
  const offset = Number(query.get('cursor') ?? 0);
  const limit = Math.min(1000, Number(query.get('limit') ?? 10));
  const next = offset + limit < job.rows.length ? String(offset + limit) : null;
  return json(200, {
    data: job.rows.slice(offset, offset + limit),
    pagination: { nextCursor: next, totalItems: job.rows.length },
  });
}
