/** A thread's task: what a project's files alone say. */
import { ArchiveError } from '#base/archives/archive-limits.ts';
import { serveTask } from '#base/processes/serve-task.ts';
import { configFindings } from '#engine/mcp-servers/config-findings.ts';
import { configuredServers, parseConfigurationFile } from '#engine/mcp-servers/configuration-files.ts';
import { readServerConfig } from '#engine/mcp-servers/configurations.ts';
import { dependencyRisks } from '#engine/mcp-servers/dependencies/risks.ts';
import { readPackages } from '#engine/mcp-servers/dependencies/read-packages.ts';
import type { Package } from '#engine/mcp-servers/dependencies/package.ts';
import { analyseInThread } from '#engine/source/analyse-in-thread.ts';
import { type Coverage as AnalysisCoverage, type Entrance, type SourceFile } from '#engine/source/types.ts';
import type { Observation } from '#findings/finding.ts';
import { eachOnce } from './once.ts';
import { isConfiguration, readProject, type ProjectLimits, type ProjectSource } from './read-project.ts';
import type { Coverage } from './result.ts';
import { limitsIn, offersUnseen, type Unread, withNotSeen } from './unread.ts';

export interface SourceTask {
  source: ProjectSource;
  limits: ProjectLimits;
  analyseMs: number;
  memoryBytes: number;
}

/** How many files, and of how many, where that is known. */
export interface SourceStage {
  step: string;
  done?: number;
  total?: number;
}

/** The archive must not be unpacked. */
export interface Refused {
  refused: string;
}

export interface SourceOutcome {
  observations: Observation[];
  surface: Entrance[];
  packages: Package[];
  coverage: Coverage;
  servers: string[];
  lines: number;
  notes: string[];
  /** What was read and not understood. */
  notSeen: Unread;
}

const mostSkipped = 500;

interface FoundConfigurations {
  observations: Observation[];
  servers: string[];
  notes: string[];
}

function readConfigurations(files: readonly SourceFile[]): FoundConfigurations {
  const found: FoundConfigurations = { observations: [], servers: [], notes: [] };
  for (const file of files) {
    const { path } = file;
    if (!isConfiguration(path)) continue;
    const { text } = file;
    const value = parseConfigurationFile(path, text);
    if (value === undefined) {
      found.notes.push(
        `${path} is no ${path.endsWith('.toml') ? 'TOML' : 'JSON'} and was not read as a configuration.`,
      );
      continue;
    }
    for (const { name, given, line } of configuredServers(path, text, value) ?? []) {
      const config = readServerConfig(given);
      found.servers.push(name);
      if (typeof config === 'string') found.notes.push(`${path}: the server ${name} ${config}.`);
      else found.observations.push(...configFindings(name, config, { at: { path, line } }));
    }
  }
  return found;
}

/** Reasons that leave out what is no part of the project, or what nearly every project has beside its server. */
const isForeign = new Set(['history', 'dependency', 'script']);

/** What is the project's own first: a list that is cut must not lose it. */
const byWeight = <T extends { reason: string }>(skipped: readonly T[]): T[] =>
  skipped.toSorted((a, b) => Number(isForeign.has(a.reason)) - Number(isForeign.has(b.reason)));

/** Reasons for which source itself was not read, so that it counts as source that was not analysed. */
const ofSource = new Set([
  'file-too-large',
  'binary',
  'unreadable',
  'lfs-pointer',
  'loaded-and-not-readable',
]);

const unreadSourceBytes = (left: readonly { bytes: number; reason: string }[]): number =>
  left.filter(({ reason }) => ofSource.has(reason)).reduce((sum, { bytes }) => sum + bytes, 0);

const noSource = /\.(?:json|lock|toml|ya?ml|txt|xml)$/;

function linesOf(files: readonly SourceFile[]): number {
  let lines = 0;
  for (const file of files) {
    if (noSource.test(file.path)) continue;
    const { text } = file;
    lines++;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  }
  return lines;
}

const notFollowedNotes = ({ notFollowed }: AnalysisCoverage): string[] => {
  if (notFollowed === undefined) return [];
  return notFollowed === 'time'
    ? ['The time for the analysis was up before all ways were followed.']
    : [
        'There is too much source to follow input through all of it: it was followed through the files that come first by their paths, and every other file was looked at by itself.',
      ];
};

/** A package that is called after the protocol, or that uses one which is. */
const namesProtocol = ({ path, text }: SourceFile): boolean =>
  /(?:^|\/)(?:package\.json|pyproject\.toml)$/.test(path) &&
  /["'][\w@/.-]*(?<![a-z])mcp(?![a-z])/i.test(text);

const tellEveryMs = 250;

/** A file that takes too long or too much memory is left out and named, and the others are analysed. */
async function analyse(
  files: readonly SourceFile[],
  { analyseMs, memoryBytes }: Pick<SourceTask, 'analyseMs' | 'memoryBytes'>,
  tell: (stage: SourceStage) => void,
) {
  let toldAt = 0;
  return analyseInThread(files, {
    limits: { totalMs: analyseMs },
    memoryBytes,
    onProgress({ done, total }) {
      if (performance.now() - toldAt < tellEveryMs) return;
      toldAt = performance.now();
      tell({ step: 'detecting vulnerabilities', done, total });
    },
  });
}

await serveTask<SourceTask, SourceStage>(
  async ({ source, limits, analyseMs, memoryBytes }, tell): Promise<SourceOutcome | Refused> => {
    tell({ step: 'reading files' });
    const project = await readProject(source, limits).catch((error: unknown) => {
      // Thrown out of a thread an error loses its class.
      if (error instanceof ArchiveError) return { refused: error.message };
      throw error;
    });
    if ('refused' in project) return project;
    const { files, present, left, leftMore } = project;
    tell({ step: 'detecting vulnerabilities' });
    const analysis = await analyse(files, { analyseMs, memoryBytes }, tell);
    tell({ step: 'reading dependencies' });
    const { packages, unread } = readPackages(files);
    const configurations = readConfigurations(files);
    const notSeen = withNotSeen(
      offersUnseen(
        { makesServer: analysis.makesServer, namesProtocol: files.some(namesProtocol) },
        analysis.surface.some(({ kind }) => kind === 'tool' || kind === 'resource' || kind === 'prompt'),
      ),
      { grave: [], said: limitsIn(analysis.limits) },
    );
    const skipped = [...analysis.coverage.skipped, ...left];
    return {
      observations: [
        ...eachOnce(analysis.observations, dependencyRisks(packages, files)),
        ...configurations.observations,
      ],
      surface: analysis.surface,
      packages,
      coverage: {
        files: present.files,
        bytes: present.bytes,
        sourceBytes: analysis.coverage.presentBytes + unreadSourceBytes(left),
        analysedBytes: analysis.coverage.analysedBytes,
        isComplete: analysis.coverage.isComplete && skipped.every(({ reason }) => isForeign.has(reason)),
        skipped: byWeight(skipped).slice(0, mostSkipped),
        skippedTotal: skipped.length + leftMore,
      },
      servers: configurations.servers,
      lines: linesOf(files),
      notes: [
        ...configurations.notes,
        ...unread.map(({ path, reason }) => `${path} names dependencies and was not read: ${reason}`),
        ...notFollowedNotes(analysis.coverage),
        ...notSeen.grave,
        ...notSeen.said,
      ],
      notSeen,
    };
  },
);
