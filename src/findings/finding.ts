import type { Confidence, Severity } from './severity.ts';

/** A place in a file. Lines and columns are counted from 1; the end column is the first behind the place. */
export interface Location {
  /** Relative to what was scanned, with slashes. */
  path: string;
  startLine?: number;
  endLine?: number;
  startColumn?: number;
  endColumn?: number;
  /** The lines themselves, secrets masked. */
  snippet?: string;
}

/** A step on the way from cause to effect. */
export interface FlowStep {
  location: Location;
  role: 'source' | 'step' | 'guard' | 'sink';
  text?: string;
}

/** An entry of a framework, such as `{framework: 'cwe', id: 'CWE-78'}`. */
export interface FrameworkRef {
  framework: string;
  id: string;
}

/** What looks for findings of one kind. */
export interface Rule {
  id: string;
  version?: string;
  title: string;
  description?: string;
  severity: Severity;
  remedy?: string;
  /** https only. */
  helpUri?: string;
  tags: readonly string[];
  frameworks: readonly FrameworkRef[];
}

/** Who said that a finding is to be left alone, and why. */
export interface Suppression {
  reason: string;
  by: string;
  at: Date;
  /** From then on the finding counts again. */
  until?: Date;
}

/** Something found, before it is told apart from others. */
export interface Observation {
  /** Its rule's id. */
  rule: string;
  title: string;
  description: string;
  severity: Severity;
  confidence: Confidence;
  location?: Location;
  /** What it is about where it is no file, or besides: a tool, a case, a device. */
  subject?: string;
  evidence?: string;
  remedy?: string;
  flow?: readonly FlowStep[];
  tags: readonly string[];
  frameworks: readonly FrameworkRef[];
}

/** Something found, known again in the next run by its fingerprint. */
export interface Finding extends Observation {
  fingerprint: string;
  suppression?: Suppression;
}

/** Whether a suppression holds at this time. */
export const isSuppressed = ({ suppression }: Finding, now: Date): boolean =>
  suppression !== undefined && (suppression.until === undefined || now < suppression.until);

/** Findings with the suppressions that hold for them, by fingerprint. Those that have ended stay, to be seen as such. */
export const withSuppressions = (
  findings: readonly Finding[],
  suppressions: ReadonlyMap<string, Suppression>,
): Finding[] =>
  findings.map((finding) => {
    const suppression = suppressions.get(finding.fingerprint);
    return suppression === undefined ? finding : { ...finding, suppression };
  });
