/** How well videos of a folder are judged, against labels. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import { wilsonInterval } from '#engine/evaluation/intervals.ts';
import { checkVideo, type VideoOptions, type VideoReport } from './open.ts';
import { progressLine } from './print.ts';

const labelsName = 'labels.json';
const Labels = z.record(z.string(), z.array(z.string()));

export interface Judged {
  readonly file: string;
  /** Categories that are in the video, as the labels say. */
  readonly labels: readonly string[];
  readonly report: VideoReport | undefined;
  /** Why it could not be judged. */
  readonly problem: string | undefined;
}

/** Reads `labels.json`: file name → categories; an empty list is a harmless video. @throws AppError 400 */
export function readLabels(folder: string): Record<string, string[]> {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(join(folder, labelsName), 'utf8'));
  } catch (cause) {
    throw new AppError(
      400,
      'no_labels',
      `${folder} needs a ${labelsName}: {"a.mp4": ["Sexual"], "b.mp4": []}, file name → categories that are in it.`,
      { cause },
    );
  }
  const read = Labels.safeParse(value);
  if (!read.success)
    throw new AppError(400, 'bad_labels', `${labelsName} must be file names → lists of categories.`);
  return read.data;
}

export async function evaluateFolder(folder: string, options: VideoOptions): Promise<Judged[]> {
  const labels = readLabels(folder);
  const unlabelled = readdirSync(folder).filter(
    (name) => /\.(mp4|webm|mov|mkv)$/i.test(name) && labels[name] === undefined,
  );
  if (unlabelled.length > 0) console.error(`Without labels, left out: ${unlabelled.join(', ')}`);
  const judged: Judged[] = [];
  for (const [file, expected] of Object.entries(labels)) {
    using line = progressLine(file);
    try {
      const report = await checkVideo(
        join(folder, file),
        options,
        ({ analyzed_seconds: at, duration_seconds: of }) => line.show(at, of),
      );
      judged.push({ file, labels: expected, report, problem: undefined });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      judged.push({ file, labels: expected, report: undefined, problem: error.detail });
    }
  }
  return judged;
}

interface Row {
  readonly category: string;
  readonly coverage: string;
  readonly present: number;
  readonly found: number;
  readonly absent: number;
  readonly wronglyFlagged: number;
}

/** A line for each category that is labelled or was judged; what could not be judged counts in none. */
export function tableOf(judged: readonly Judged[]): Row[] {
  const done = judged.flatMap(({ report, labels }) => (report === undefined ? [] : [{ report, labels }]));
  const categories = new Set(
    done.flatMap(({ report, labels }) => [...Object.keys(report.coverage), ...labels]),
  );
  return [...categories].map((category) => {
    const isFlagged = ({ report }: { report: VideoReport }) => report.summary.categories[category] === true;
    const present = done.filter(({ labels }) => labels.includes(category));
    const absent = done.filter(({ labels }) => !labels.includes(category));
    return {
      category,
      coverage: [...new Set(done.map(({ report }) => report.coverage[category] ?? 'none'))].join('/'),
      present: present.length,
      found: present.filter(isFlagged).length,
      absent: absent.length,
      wronglyFlagged: absent.filter(isFlagged).length,
    };
  });
}

const share = (part: number, of: number): string => {
  if (of === 0) return '–'.padEnd(18);
  const { low, high } = wilsonInterval(part, of);
  return `${part}/${of} (${low.toFixed(2)}–${high.toFixed(2)})`.padEnd(18);
};

export function printTable(judged: readonly Judged[]): void {
  console.log(`${'category'.padEnd(28)} ${'coverage'.padEnd(11)} ${'found'.padEnd(18)} wrongly flagged`);
  for (const row of tableOf(judged))
    console.log(
      `${row.category.padEnd(28)} ${row.coverage.padEnd(11)} ${share(row.found, row.present)} ${share(row.wronglyFlagged, row.absent)}`,
    );
  const harmless = judged.filter(({ labels, report }) => labels.length === 0 && report !== undefined);
  const flagged = harmless.filter(({ report }) => report?.flag === true);
  console.log(`Harmless videos flagged at all: ${share(flagged.length, harmless.length)}`);
  for (const { file, problem } of judged) if (problem !== undefined) console.log(`${file}: ${problem}`);
}
