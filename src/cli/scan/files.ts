/** What a scan writes, and the baseline that it reads. */
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AppError, invalid } from '#base/errors.ts';
import type { Finding } from '#findings/finding.ts';
import { fingerprintName, sarifOf } from '#findings/sarif/write-sarif.ts';
import { sarifPlaces, type ScanHere } from '#services/mcp-scan/scan-here.ts';
import { version } from '../../version.ts';
import { readText } from '../files.ts';

/** One by one: where a file system refuses new folders with ENOENT (`/proc`), Node's own `recursive` never ends. */
async function makeFolder(path: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    // Somebody else made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  });
}

/**
 * Makes the folder of a file that is written after the scan, and sees that it can be.
 * @throws AppError with a sentence, before anything is scanned
 */
export async function prepare(path: string | undefined): Promise<void> {
  if (path === undefined || path === '-') return;
  try {
    await makeFolder(dirname(path));
    // Opened to append: what an earlier scan wrote stays until there is something new.
    await (await open(path, 'a')).close();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'EISDIR'
        ? 'it is a folder'
        : code === 'EEXIST' || code === 'ENOTDIR'
          ? 'a part of its path is a file'
          : `the system says ${code}`;
    throw invalid(`${path} cannot be written: ${why}.`);
  }
}

/** The file of a path, or standard output for `-`. */
export async function write(path: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value, undefined, 2)}\n`;
  if (path === '-') process.stdout.write(text);
  else await writeFile(path, text);
}

export function sarifOfHere(here: ScanHere, findings: readonly Finding[], startedAt: Date): unknown {
  const { scans, failed } = here;
  const { shown, placeOf } = sarifPlaces(here);
  const rules = new Map(scans.flatMap(({ result }) => result.rules.map((rule) => [rule.id, rule])));
  return sarifOf({
    tool: { name: 'Bulwark MCP scan', version },
    rules: [...rules.values()],
    findings: findings.map(shown),
    placeOf,
    startedAt,
    endedAt: new Date(),
    isSuccessful: failed.length === 0,
  });
}

export const jsonOfHere = (
  { kind, commit, scans, failed, together }: ScanHere,
  target: string,
  findings: readonly Finding[],
): unknown => ({
  bulwark_scan: 1,
  version,
  target,
  kind,
  commit: commit ?? null,
  scans: scans.map(({ name, result }) => ({
    name,
    security: result.ratings.security,
    complexity: result.ratings.complexity,
    sensitivity: result.ratings.sensitivity,
    score: result.score,
    summary: result.summary,
    coverage: result.coverage ?? null,
    deps_checked: result.depsChecked,
    tools: result.tools.map(({ name: tool, description, path, line }) => ({
      name: tool,
      description,
      file: path ?? null,
      line: line ?? null,
    })),
    textguard_results: result.textguard,
    notes: result.notes,
  })),
  failed,
  together: together.map(({ fingerprint }) => fingerprint),
  findings,
});

/** Fingerprints of an earlier `--json` or `--sarif` of this command. */
export function readBaseline(path: string): Set<string> {
  let value: unknown;
  try {
    value = JSON.parse(readText(path, 'baseline'));
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw invalid(`The baseline ${path} is not JSON; give a file that --json or --sarif wrote.`);
  }
  const { findings, runs } = value as {
    findings?: { fingerprint?: unknown }[];
    runs?: { results?: { partialFingerprints?: Record<string, unknown> }[] }[];
  };
  const found = Array.isArray(findings)
    ? findings.map(({ fingerprint }) => fingerprint)
    : runs?.flatMap(({ results = [] }) => results.map((each) => each.partialFingerprints?.[fingerprintName]));
  if (found === undefined) throw invalid(`The baseline ${path} is neither of --json nor of --sarif.`);
  return new Set(found.filter((each) => typeof each === 'string'));
}
