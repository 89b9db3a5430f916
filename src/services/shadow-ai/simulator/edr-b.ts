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

type Row = Record<string, unknown>;

const window = /^\w+:>='([^']+)'\+\w+:<'([^']+)'$/;
const platforms = { Windows: 'Windows', macOS: 'Mac', Linux: 'Linux' } as const;
const pageRows = 3;

/** CrowdStrike without raw events: alerts, applications, and devices that asked a host. */
export function edrB(world: World): Personality {
  return (request) => {
    if (request.path === '/oauth2/token') return answerToken(world, request, 201);
    if (!world.isValid(request.headers['authorization'])) return json(401, { errors: [{ code: 401 }] });
    if (request.path === '/alerts/combined/alerts/v1') return alerts(world, request);
    if (request.path === '/discover/combined/applications/v1') return applications(world, request);
    if (request.path === '/threatgraph/combined/ran-on/v1') return ranOn(world, request);
    return json(404, { errors: [{ code: 404 }] });
  };
}

/** A page of the rows, and where the next begins; one form gives numbers, the other text. */
function page(world: World, rows: readonly Row[], offset: number, name: 'after' | 'offset'): Reply {
  const next = offset + pageRows;
  return json(200, {
    meta: {
      pagination: {
        total: rows.length,
        ...(next < rows.length && { [name]: world.has('drift') ? next : String(next) }),
      },
    },
    resources: rows.slice(offset, next),
    errors: [],
  });
}

function between(filter: string): ((ms: number) => boolean) | undefined {
  const [, from, to] = window.exec(filter) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return (ms) => ms >= Date.parse(from) && ms < Date.parse(to);
}

const refused = () => json(400, { errors: [{ code: 400, message: 'The filter is not understood.' }] });

function alerts(world: World, request: Request): Reply {
  const { filter, after } = bodyOf(request);
  const isWithin = between(String(filter));
  if (isWithin === undefined) return refused();
  const rows = world
    .arrived()
    .filter(({ event }) => event.dimension === 'process' && event.process.alerts && isWithin(event.atMs))
    .map(({ event }) => alertOf(event));
  const answered = world.rows(`alerts ${String(filter)}`, rows, after === undefined);
  return page(world, answered, Number(after ?? 0), 'after');
}

function alertOf({ id, atMs, device, process }: NeutralEvent): Row {
  return {
    composite_id: `alert-${id}`,
    created_timestamp: new Date(atMs).toISOString(),
    timestamp: new Date(atMs).toISOString(),
    process_start_time: String(process.startedMs),
    process_id: processUid(process),
    filename: fileNameOf(process.image),
    filepath: process.image,
    cmdline: process.commandLine,
    user_name: process.user,
    device: { device_id: device.uid, hostname: device.name, platform_name: platforms[device.os] },
    ...(process.parent && {
      parent_details: {
        process_id: processUid(process.parent),
        filepath: process.parent.image,
        cmdline: process.parent.commandLine,
      },
    }),
  };
}

function applications(world: World, { query }: Request): Reply {
  const filter = query.get('filter') ?? '';
  const isWithin = between(filter);
  if (isWithin === undefined) return refused();
  const rows = world
    .arrived()
    .filter(({ event }) => event.dimension === 'process' && event.process.listed && isWithin(event.atMs))
    .map(({ event: { id, atMs, device, process } }) => ({
      id: `application-${id}`,
      name: fileNameOf(process.image),
      last_used_file_name: fileNameOf(process.image),
      last_used_timestamp: new Date(atMs).toISOString(),
      last_used_user_name: process.user,
      host: { aid: device.uid, hostname: device.name, platform_name: platforms[device.os] },
    }));
  const after = query.get('after');
  return page(world, world.rows(`applications ${filter}`, rows, after === null), Number(after ?? 0), 'after');
}

/** By host; the last time that each device asked it. */
function ranOn(world: World, { query }: Request): Reply {
  if (query.get('type') !== 'domain') return refused();
  const host = query.get('value') ?? '';
  const last = new Map<string, NeutralEvent>();
  for (const { event } of world.arrived())
    if (event.dimension === 'dns' && event.host === host) last.set(event.device.uid, event);
  const rows = [...last.values()].map(({ atMs, device }) => ({
    id: `dns:${device.uid}:${host}`,
    device_id: device.uid,
    hostname: device.name,
    platform_name: platforms[device.os],
    timestamp: new Date(atMs).toISOString(),
  }));
  const offset = query.get('offset');
  return page(world, world.rows(`ran-on ${host}`, rows, offset === null), Number(offset ?? 0), 'offset');
}
