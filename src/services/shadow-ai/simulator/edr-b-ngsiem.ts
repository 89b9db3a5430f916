import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import { type NeutralEvent, processUid } from './neutral.ts';
import {
  answerToken,
  bodyOf,
  json,
  type Personality,
  type Reply,
  type Request,
  type World,
} from './world.ts';

type Row = Record<string, string>;

const jobPath = /^\/humio\/api\/v1\/repositories\/[\w.-]+\/queryjobs(?:\/([\w-]+))?$/;
/** The queries that are understood. */
const namesQuery = /^in\(field="#event_simpleName", values=\[([^\]]*)\]\) \| tail\((\d+)\)$/;
const filesQuery = /^#event_simpleName=\/FileWritten\$\/ \| tail\((\d+)\)$/;

interface Job {
  readonly rows: readonly Row[];
  polls: number;
}

/** LogScale query jobs behind the token endpoint of the vendor. */
export function edrBNgsiem(world: World): Personality {
  return (request) => {
    if (request.path === '/oauth2/token') return answerToken(world, request, 201);
    const [, id] = jobPath.exec(request.path) ?? [];
    if (!jobPath.test(request.path)) return json(404, {});
    if (!world.isValid(request.headers['authorization'])) return json(401, { errors: [{ code: 401 }] });
    if (request.method === 'POST') return start(world, request);
    if (request.method === 'DELETE') return { status: 204 };
    return poll(world, request, id ?? '');
  };
}

function start(world: World, request: Request): Reply {
  const { queryString, start: from, end: to, useIngestTime } = bodyOf(request);
  const query = String(queryString);
  const names = namesQuery.exec(query);
  const files = filesQuery.exec(query);
  if ((names === null && files === null) || useIngestTime !== true)
    return json(400, { errors: [{ code: 400, message: 'The query is not understood.' }] });
  const wanted: readonly string[] = names?.[1]?.match(/\w+/g) ?? [];
  const most = Number(names?.[2] ?? files?.[1]);
  const rows = world
    .arrived()
    .filter(({ arrivedMs }) => arrivedMs >= Number(from) && arrivedMs < Number(to))
    .flatMap(({ event, arrivedMs }) => rowOf(event, arrivedMs))
    .filter(({ '#event_simpleName': name = '' }) =>
      names === null ? name.endsWith('FileWritten') : wanted.includes(name),
    );
  // The newest come first.
  const question = `${query} ${String(from)} ${String(to)}`;
  const answered = world.rows(question, rows).slice(-most).reverse();
  return json(200, {
    id: world.startJob<Job>(question, { rows: answered, polls: 0 }),
    queryOnView: '<internal>',
  });
}

function poll(world: World, { query }: Request, id: string): Reply {
  const job = world.findJob<Job>(id);
  if (job === undefined) return json(404, { errors: [{ code: 404, message: 'No such query job.' }] });
  job.polls += 1;
  if (job.polls === 1 && job.rows.length > 0)
    return json(200, { cancelled: false, done: false, events: [], metaData: { pollAfter: 10 } });
  const offset = Number(query.get('paginationOffset') ?? 0);
  const limit = Number(query.get('paginationLimit') ?? 200);
  const page = job.rows.slice(offset, offset + limit);
  const hasMore = offset + limit < job.rows.length;
  return json(200, {
    cancelled: false,
    done: true,
    events: page,
    metaData: {
      eventCount: job.rows.length,
      isAggregate: false,
      pollAfter: 1000,
      // One form has words, the other truth values.
      extraData: { hasMoreEvents: world.has('drift') ? hasMore : String(hasMore) },
      warnings: [],
    },
  });
}

const platforms = { Windows: 'Win', macOS: 'Mac', Linux: 'Lin' } as const;

/** All values are text, as the source has them. Reads of files are not reported. */
function rowOf(event: NeutralEvent, arrivedMs: number): Row[] {
  const { process, device } = event;
  const common = {
    aid: device.uid,
    ComputerName: device.name,
    event_platform: platforms[device.os],
    timestamp: String(event.atMs),
    '@timestamp': String(event.atMs),
    '@ingesttimestamp': String(arrivedMs),
    id: `event-${event.id}`,
    UserName: process.user,
  };
  if (event.dimension === 'process')
    return [
      {
        ...common,
        '#event_simpleName': 'ProcessRollup2',
        TargetProcessId: processUid(process),
        ImageFileName: process.image,
        FileName: fileNameOf(process.image),
        CommandLine: process.commandLine,
        ...(process.parent && {
          ParentProcessId: processUid(process.parent),
          ParentBaseFileName: fileNameOf(process.parent.image),
        }),
      },
    ];
  const context = {
    ...common,
    ContextProcessId: processUid(process),
    ContextBaseFileName: fileNameOf(process.image),
  };
  return doneBy(event).map((done) => ({ ...context, ...done }));
}

/** What a process did, without what is common to all events. */
function doneBy(event: NeutralEvent): Row[] {
  const { dimension, action, filePath = '', host = '', ip = '', port = '' } = event;
  if (dimension === 'dns')
    return [{ '#event_simpleName': 'DnsRequest', DomainName: host, IP4Records: `${ip};` }];
  if (dimension === 'file') {
    if (action === 'Read') return [];
    const name = action === 'Create' ? 'NewExecutableFileWritten' : 'OoxmlFileWritten';
    return [{ '#event_simpleName': name, TargetFileName: filePath }];
  }
  const isInbound = event.inbound === true;
  return [
    {
      '#event_simpleName': isInbound ? 'NetworkReceiveAcceptIP4' : 'NetworkConnectIP4',
      RemoteAddressIP4: ip,
      ConnectionDirection: isInbound ? '1' : '0',
      [isInbound ? 'LocalPort' : 'RemotePort']: String(port),
    },
  ];
}
