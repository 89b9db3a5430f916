/** What endpoints do, told neutrally: the same events through each personality must give the same detections. */

export interface NeutralProcess {
  readonly pid: number;
  readonly startedMs: number;
  readonly image: string;
  readonly commandLine: string;
  readonly user: string;
  readonly parent: NeutralProcess | undefined;
  /** A source that reports alerts alone raises one for its start. */
  readonly alerts: boolean;
  /** A source that keeps an inventory of applications lists it. */
  readonly listed: boolean;
}

export interface NeutralDevice {
  readonly uid: string;
  readonly name: string;
  readonly os: 'Windows' | 'macOS' | 'Linux';
}

export interface NeutralEvent {
  readonly id: number;
  readonly atMs: number;
  readonly device: NeutralDevice;
  readonly dimension: 'process' | 'network' | 'file' | 'dns';
  /** The one that was started, or that did it. */
  readonly process: NeutralProcess;
  readonly host?: string;
  readonly ip?: string;
  readonly port?: number;
  readonly inbound?: boolean;
  readonly filePath?: string;
  readonly action?: 'Create' | 'Update' | 'Read';
}

/** An address for a host, of the range for benchmarks. */
function addressOf(host: string): string {
  let hash = 7;
  for (const char of host) hash = (hash * 31 + char.charCodeAt(0)) % 130_000;
  return `198.${18 + (hash >> 16)}.${(hash >> 8) & 255}.${hash & 255}`;
}

export const processUid = ({ pid, startedMs }: NeutralProcess): string => `${pid}:${startedMs}`;

const processFields = (process: NeutralProcess): object => ({
  uid: processUid(process),
  file: { path: process.image },
  cmd_line: process.commandLine,
  user: { name: process.user },
});

/** An event in the form that push ingestion takes. */
export function asPushRow(event: NeutralEvent): object {
  const { process, device, dimension } = event;
  const common = {
    time: event.atMs,
    metadata: { uid: String(event.id) },
    device: { uid: device.uid, hostname: device.name, os: { name: device.os } },
  };
  const actor = { process: processFields(process) };
  if (dimension === 'process')
    return {
      ...common,
      class_uid: 1007,
      activity_id: 1,
      process: processFields(process),
      ...(process.parent && { actor: { process: processFields(process.parent) } }),
    };
  if (dimension === 'file')
    return { ...common, class_uid: 1001, activity_name: event.action, actor, file: { path: event.filePath } };
  if (dimension === 'dns') return { ...common, class_uid: 4003, actor, query: { hostname: event.host } };
  return {
    ...common,
    class_uid: 4001,
    actor,
    connection_info: { direction_id: event.inbound === true ? 1 : 2 },
    ...(event.inbound === true && { src_endpoint: { ip: event.ip } }),
    dst_endpoint: {
      ...(event.inbound !== true && { hostname: event.host, ip: event.ip }),
      port: event.port,
    },
  };
}

export interface Teller {
  readonly device: NeutralDevice;
  readonly events: readonly NeutralEvent[];
  process(
    image: string,
    commandLine: string,
    from?: { parent?: NeutralProcess; alerts?: boolean; listed?: boolean },
  ): NeutralProcess;
  lookUp(seconds: number, process: NeutralProcess, host: string): void;
  /** A look-up and the connection after it. */
  connect(seconds: number, process: NeutralProcess, host: string, port?: number): void;
  accept(seconds: number, process: NeutralProcess, ip: string, port: number): void;
  file(seconds: number, process: NeutralProcess, path: string, action?: NeutralEvent['action']): void;
}

/** Tells the story of one device from a moment on; `at` moves the time of the starts that follow. */
export function createTeller(
  device: NeutralDevice,
  user: string,
  startMs: number,
  nextId: () => number,
): Teller & { at(seconds: number): void } {
  const events: NeutralEvent[] = [];
  let [nowMs, pid] = [startMs, 1000];
  const add = (seconds: number, event: Omit<NeutralEvent, 'id' | 'atMs' | 'device'>) =>
    events.push({ id: nextId(), atMs: startMs + seconds * 1000, device, ...event });
  return {
    device,
    events,
    at(seconds) {
      nowMs = startMs + seconds * 1000;
    },
    process(image, commandLine, { parent, alerts = false, listed = false } = {}) {
      pid += 4;
      const process = { pid, startedMs: nowMs, image, commandLine, user, parent, alerts, listed };
      add((nowMs - startMs) / 1000, { dimension: 'process', process });
      return process;
    },
    lookUp: (seconds, process, host) =>
      void add(seconds, { dimension: 'dns', process, host, ip: addressOf(host) }),
    connect(seconds, process, host, port = 443) {
      add(seconds, { dimension: 'dns', process, host, ip: addressOf(host) });
      add(seconds + 1, { dimension: 'network', process, host, ip: addressOf(host), port });
    },
    accept: (seconds, process, ip, port) =>
      void add(seconds, { dimension: 'network', process, ip, port, inbound: true }),
    file: (seconds, process, filePath, action = 'Update') =>
      void add(seconds, { dimension: 'file', process, filePath, action }),
  };
}
