/** How bad a finding is, from worst to least. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
export type Severity = (typeof severities)[number];

/** How sure a finding is. */
export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];

const rank = (severity: Severity): number => severities.indexOf(severity);

/** Worst first; for sorting. */
export const bySeverity = (a: Severity, b: Severity): number => rank(a) - rank(b);

/** Whether a severity reaches a threshold. */
export const isAtLeast = (severity: Severity, threshold: Severity): boolean =>
  rank(severity) <= rank(threshold);

/** One step down, as for findings in tests and examples; the least stays. */
export const oneStepDown = (severity: Severity): Severity => severities[rank(severity) + 1] ?? 'info';

/** Names that other tools and contracts have for the five. */
const names: Readonly<Record<string, Severity>> = {
  critical: 'critical',
  blocker: 'critical',
  high: 'high',
  error: 'high',
  important: 'high',
  major: 'high',
  medium: 'medium',
  moderate: 'medium',
  warning: 'medium',
  low: 'low',
  minor: 'low',
  note: 'low',
  info: 'info',
  informational: 'info',
  none: 'info',
  negligible: 'info',
};

/** The severity of a name such as `INFORMATIONAL` or `moderate`; undefined for an unknown name. */
export const findSeverity = (name: string): Severity | undefined => {
  const key = name.trim().toLowerCase();
  return Object.hasOwn(names, key) ? names[key] : undefined;
};

/** SARIF 2.1.0 §3.27.10: three levels of a failure, and none for what is no problem. */
export const sarifLevels = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'none',
} as const satisfies Record<Severity, string>;

/**
 * The score from 0 to 10 that code hosts read from a rule's `security-severity`: above 9 is critical, from 7 high, from
 * 4 medium, below low; the middle of CVSS 3's bands for the qualitative ratings.
 */
export const securityScores: Readonly<Record<Severity, number>> = {
  critical: 9.5,
  high: 8,
  medium: 5.5,
  low: 2,
  info: 0,
};

/** The band of a score from 0 to 10 (CVSS 3.1, section 5). */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}
