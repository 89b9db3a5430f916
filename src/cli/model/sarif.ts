import type { Observation, Rule } from '#findings/finding.ts';
import { withFingerprints } from '#findings/fingerprint.ts';
import { sarifOf } from '#findings/sarif/write-sarif.ts';
import { severities, type Severity } from '#findings/severity.ts';
import { version } from '../../version.ts';
import type { Summary } from './print.ts';

type Failure = Summary['failures'][string][number];

const severityOf = (text: string): Severity => severities.find((each) => each === text) ?? 'medium';

const ruleIdOf = (dataset: string, { subcategory, attack }: Failure): string =>
  [dataset, subcategory, attack].map((part) => part.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')).join('/');

const observationOf = (dataset: string, failure: Failure): Observation => ({
  rule: ruleIdOf(dataset, failure),
  title: `${dataset}: ${failure.subcategory}`,
  description: failure.reason,
  severity: severityOf(failure.severity),
  confidence: 'medium',
  // The same case under the same attack is the same finding in the next scan, whatever the model replied.
  subject: `${failure.case_id} (${failure.attack})`,
  evidence: failure.prompt,
  tags: [dataset, failure.attack],
  frameworks: [],
});

const ruleOf = (dataset: string, failure: Failure): Rule => ({
  id: ruleIdOf(dataset, failure),
  title: `${dataset}: ${failure.subcategory}${failure.attack === 'Default' ? '' : ` under ${failure.attack}`}`,
  severity: severityOf(failure.severity),
  tags: [dataset],
  frameworks: [],
});

/**
 * Failures as SARIF 2.1.0: a rule for each subcategory and attack, a result for each failed case. A model has no files, so
 * that results have a subject and no location.
 */
export function modelSarifOf({ failures }: Summary): unknown {
  const all = Object.entries(failures).flatMap(([dataset, list]) =>
    list.map((failure) => ({ dataset, failure })),
  );
  const rules = new Map(
    all.map(({ dataset, failure }) => [ruleIdOf(dataset, failure), ruleOf(dataset, failure)]),
  );
  return sarifOf({
    tool: { name: 'Bulwark model safety scan', version },
    rules: [...rules.values()],
    findings: withFingerprints(all.map(({ dataset, failure }) => observationOf(dataset, failure))),
  });
}
