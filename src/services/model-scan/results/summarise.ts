/** The summary of a scan: a function of its stored results alone, so that equal results give equal bytes. */
import type { z } from 'zod';
import type { Queries } from '#base/db/database.ts';
import { defaultAlgorithm } from '../contract/names.ts';
import type { Summary } from '../contract/summary.ts';
import type { Scan } from '../records/scan.ts';
import { riskOf, thresholds } from './risk.ts';
import {
  algorithmsOf,
  coverageOf,
  datasetsOf,
  frameworkRows,
  grouped,
  isAssessed,
  meanScore,
  ownTests,
  record,
  severityOrder,
  shareOf,
} from './scores.ts';
import { listScored, listTexts, type ScoredTest } from './store.ts';

export type ScanSummary = z.input<typeof Summary>;

const mostFailures = 100;
const mostListed = 500;
const mostCharacters = 2000;

/** @returns the summary, and how many tests could be assessed: without any there is no score */
export async function summarise(
  db: Queries,
  scan: Scan,
): Promise<{ summary: ScanSummary; assessed: number }> {
  const tests = await listScored(db, scan.scanId);
  const own = ownTests(tests);
  const averages = record(datasetsOf(own), (dataset) =>
    meanScore(own.filter((each) => each.dataset === dataset)),
  );
  const average = Object.values(averages);
  const avgScore =
    average.length === 0 ? 0 : twoDecimals(average.reduce((a, b) => a + b, 0) / average.length);
  const { level, reasons, critical, attacks, unassessed } = riskOf(tests, avgScore);
  const harmless = own.filter(({ kind, score }) => kind === 'comply' && score !== null);
  const refused = harmless.filter(({ score }) => score === 0);
  const failed = grouped(
    tests.filter(({ score }) => score === 0).toSorted(bySeverity),
    ({ dataset }) => dataset,
  );
  const shown = [...failed.values()].flatMap((list) => list.slice(0, mostFailures));
  const listed = refused.slice(0, mostListed);
  const numbers = [...new Set([...shown, ...listed].map(({ number }) => number))];
  const texts = await listTexts(db, scan.scanId, numbers, mostCharacters);
  const textOf = ({ number }: ScoredTest) => texts.get(number) ?? { prompt: '', response: '' };
  const missing = tests.filter(({ score }) => score === null);
  const summary: ScanSummary = {
    averages,
    averages_sub: record(datasetsOf(own), (dataset) => {
      const inSet = own.filter((each) => each.dataset === dataset);
      const names = [...new Set(inSet.map(({ subcategory }) => subcategory))].sort();
      return record(names, (name) => meanScore(inSet.filter(({ subcategory }) => subcategory === name)));
    }),
    averages_attack: record(algorithmsOf(tests), (name) =>
      meanScore(tests.filter(({ algorithm }) => algorithm === name)),
    ),
    failures: Object.fromEntries(
      datasetsOf(tests).flatMap((dataset) => {
        const list = failed.get(dataset);
        return list === undefined
          ? []
          : [
              [
                dataset,
                list.slice(0, mostFailures).map((test) => ({
                  case_id: test.caseId,
                  subcategory: test.subcategory,
                  attack: test.algorithm,
                  prompt: textOf(test).prompt,
                  response: textOf(test).response,
                  score: 0,
                  reason: test.reason,
                  severity: test.severity,
                  attempt: test.attempt ?? 1,
                })),
              ],
            ];
      }),
    ),
    failures_omitted: Object.fromEntries(
      [...failed].flatMap(([dataset, { length }]) =>
        length > mostFailures ? [[dataset, length - mostFailures]] : [],
      ),
    ),
    scores: Object.fromEntries(
      [...grouped(tests, ({ topic }) => topic)]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([topic, list]) => [
          topic,
          {
            passed: list.filter(({ score }) => score === 100).length,
            partial: list.filter(({ score }) => score === 50).length,
            failed: list.filter(({ score }) => score === 0).length,
            error: list.filter(({ score }) => score === null).length,
          },
        ]),
    ),
    risk_level: level,
    risk_reasons: reasons,
    avg_score: avgScore,
    intervals: {
      passed: shareOf(own.filter(isAssessed), ({ score }) => score === 100),
      averages: Object.fromEntries(
        datasetsOf(own).map((dataset) => [
          dataset,
          shareOf(
            own.filter((each) => each.dataset === dataset && isAssessed(each)),
            ({ score }) => score === 100,
          ),
        ]),
      ),
      attacks,
      critical_failures: critical,
      over_caution: shareOf(harmless, ({ score }) => score === 0),
      unassessed,
    },
    coverage: coverageOf(tests),
    frameworks: frameworkRows(tests),
    over_cautious: listed.map((test) => ({
      case_id: test.caseId,
      dataset: test.dataset,
      prompt: textOf(test).prompt,
      response: textOf(test).response,
    })),
    unassessed: missing.slice(0, mostListed).map((test) => ({
      case_id: test.caseId,
      dataset: test.dataset,
      attack: test.algorithm,
      reason: test.reason,
    })),
    method: {
      seed: scan.seed,
      tests: tests.length,
      cases: new Set(tests.map(({ caseId }) => caseId)).size,
      attack_cases_per_dataset: scan.settings.attackCases,
      judge: scan.settings.usesLanguageModel === true ? 'embedded and rubric' : 'embedded',
      model_name: scan.model.modelName,
      temperature: scan.model.temperature,
      max_tokens: scan.model.maxTokens,
      thresholds,
    },
  };
  return { summary, assessed: tests.length - missing.length };
}

/** Worst first, cases as they are before attacks. */
const bySeverity = (a: ScoredTest, b: ScoredTest): number =>
  severityOrder(a.severity) - severityOrder(b.severity) ||
  Number(a.algorithm !== defaultAlgorithm) - Number(b.algorithm !== defaultAlgorithm) ||
  a.number - b.number;

const twoDecimals = (value: number) => Math.round(value * 100) / 100;
