import type { Confidence, Severity } from './severity.ts';

/** A location in a file. Lines and columns start at 1; the end column is exclusive. */
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

/** A rule that detects one kind of finding. */
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

/** Who suppressed a finding, and why. */
export interface Suppression {
  reason: string;
  by: string;
  at: Date;
  /** Expiry, after which the finding counts again. */
  until?: Date;
}

/** A detected problem, before it gets a fingerprint. */
export interface Observation {
  /** Its rule's id. */
  rule: string;
  title: string;
  description: string;
  severity: Severity;
  confidence: Confidence;
  location?: Location;
  /** The subject, besides or instead of a file: a tool, a test case, a device. */
  subject?: string;
  evidence?: string;
  remedy?: string;
  flow?: readonly FlowStep[];
  /** Further places of the same problem, which are mended with it. */
  otherPlaces?: readonly Location[];
  /** The key of its fingerprint, where what is shown of the code is not what the key is made of. */
  fingerprintKey?: string;
  tags: readonly string[];
  frameworks: readonly FrameworkRef[];
}

/** A detected problem with a fingerprint that identifies it across runs. */
export interface Finding extends Observation {
  fingerprint: string;
  suppression?: Suppression;
}

/** Whether a suppression is active at this time. */
export const isSuppressed = ({ suppression }: Finding, now: Date): boolean =>
  suppression !== undefined && (suppression.until === undefined || now < suppression.until);

/** Attaches suppressions to findings by fingerprint. Expired ones are kept, to be shown as such. */
export const withSuppressions = (
  findings: readonly Finding[],
  suppressions: ReadonlyMap<string, Suppression>,
): Finding[] =>
  findings.map((finding) => {
    const suppression = suppressions.get(finding.fingerprint);
    return suppression === undefined ? finding : { ...finding, suppression };
  });
