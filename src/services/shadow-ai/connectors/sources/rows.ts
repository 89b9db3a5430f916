import type { Fields } from './client.ts';

/** Rows in the form that push ingestion takes, from what a source tells of an event. */
export interface Told {
  readonly dimension: 'process' | 'network' | 'file' | 'dns';
  readonly at: string | number | undefined;
  readonly id: string | undefined;
  readonly device: {
    readonly uid: string | undefined;
    readonly name: string | undefined;
    readonly os: string | undefined;
  };
  /** The one that was started, or that did it. */
  readonly process: ToldProcess;
  readonly parent?: ToldProcess | undefined;
  readonly host?: string | undefined;
  readonly ip?: string | undefined;
  readonly port?: string | undefined;
  readonly inbound?: boolean | undefined;
  readonly filePath?: string | undefined;
  readonly action?: string | undefined;
}

export interface ToldProcess {
  readonly uid: string | undefined;
  readonly image?: string | undefined;
  readonly commandLine?: string | undefined;
  readonly user?: string | undefined;
  readonly parentUid?: string | undefined;
  readonly parentName?: string | undefined;
  readonly parentCommandLine?: string | undefined;
}

const classes = { process: 1007, network: 4001, file: 1001, dns: 4003 } as const;

/** Names of operating systems as all sources give them then. */
function osName(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (/^win/i.test(given)) return 'Windows';
  if (/^(?:mac|osx|darwin)/i.test(given)) return 'macOS';
  return /^lin/i.test(given) ? 'Linux' : given;
}

const processFields = (process: ToldProcess): Fields => ({
  uid: process.uid,
  ...(process.image !== undefined && { file: { path: process.image } }),
  cmd_line: process.commandLine,
  ...(process.user !== undefined && { user: { name: process.user } }),
  ...(process.parentUid !== undefined && {
    parent_process: {
      uid: process.parentUid,
      name: process.parentName,
      cmd_line: process.parentCommandLine,
    },
  }),
});

/** An event as OCSF. */
export function asOcsf(told: Told): object {
  const { dimension, at, id, device } = told;
  const common = {
    class_uid: classes[dimension],
    time: at,
    metadata: { uid: id },
    device: { uid: device.uid, hostname: device.name, os: { name: osName(device.os) } },
  };
  if (dimension === 'process') {
    const { parent } = told;
    return {
      ...common,
      activity_id: 1,
      process: processFields(told.process),
      ...(parent?.uid !== undefined && { actor: { process: processFields(parent) } }),
    };
  }
  const actor = { process: processFields(told.process) };
  if (dimension === 'file')
    return { ...common, actor, activity_name: told.action, file: { path: told.filePath } };
  if (dimension === 'dns') return { ...common, actor, query: { hostname: told.host } };
  return { ...common, actor, activity_name: told.action, ...networkFields(told) };
}

function networkFields({ host, ip, port, inbound = false }: Told): Fields {
  const number = port === undefined ? Number.NaN : Number(port);
  return {
    connection_info: { direction_id: inbound ? 1 : 2 },
    ...(inbound && { src_endpoint: { ip } }),
    dst_endpoint: {
      ...(!inbound && { hostname: host, ip }),
      ...(Number.isInteger(number) && { port: number }),
    },
  };
}
