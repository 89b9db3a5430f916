/** What endpoints report, in one form whichever source it came from. */

export const dimensions = ['process', 'network', 'file', 'dns'] as const;
export type Dimension = (typeof dimensions)[number];

/** What is known of a process instance. */
export interface ProcessFacts {
  /** Unique on its device. */
  readonly uid: string;
  readonly parentUid?: string | undefined;
  /** The path of its image, or its file name alone. */
  readonly image?: string | undefined;
  readonly commandLine?: string | undefined;
  readonly parentCommandLine?: string | undefined;
  readonly user?: string | undefined;
}

export interface TelemetryEvent {
  /** Equal for the same event, however often it is sent. */
  readonly key: string;
  readonly deviceUid: string;
  readonly dimension: Dimension;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly process: ProcessFacts;
  readonly user?: string | undefined;
  /** Of a connection or a look-up; lower case, without its last dot. */
  readonly host?: string | undefined;
  readonly ip?: string | undefined;
  readonly port?: number | undefined;
  readonly inbound?: boolean | undefined;
  readonly filePath?: string | undefined;
  /** What became of the file or the connection. */
  readonly action?: string | undefined;
}

const version = /^v?\d+\.[\d.]*\d(?:[-+][\w.+-]*)?$/i;
const folderOfVersions = /^(?:versions?|releases?|current|bin)$/i;

/** The name of a program by its path: of a file that has its version for a name, the folder that tells the program. */
export function programNameOf(path: string): string {
  const name = fileNameOf(path);
  if (!version.test(name.replace(/\.exe$/i, ''))) return name;
  const folders = path.split(/[/\\]/).slice(0, -1);
  return (
    folders.findLast((each) => each !== '' && !version.test(each) && !folderOfVersions.test(each)) ?? name
  );
}

/** The file name at the end of a path of either kind. */
export const fileNameOf = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
