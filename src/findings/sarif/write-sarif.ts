import type {
  CodeFlow,
  Log,
  Location as SarifLocation,
  Region,
  ReportingDescriptor,
  Result,
  Run,
  ToolComponent,
} from 'sarif';
import type { Finding, FlowStep, FrameworkRef, Location, Rule, Suppression } from '../finding.ts';
import { findEntry, frameworks } from '../frameworks.ts';
import { given } from '../given.ts';
import { sarifLevels, securityScores } from '../severity.ts';
import { messageText } from './message.ts';

/** Where SARIF was defined; readers fetch nothing from it. */
const schemaUri =
  'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
/** The name of our fingerprint among a result's partial fingerprints. */
export const fingerprintName = 'bulwark/v1';
const root = '%SRCROOT%';

export interface SarifInput {
  tool: { name: string; version: string; informationUri?: string };
  /** Rules that findings name and that are not among these are left bare. */
  rules: readonly Rule[];
  findings: readonly Finding[];
  /**
   * Where a finding without a place of its own is shown: readers such as code scanning drop results without one. A path is
   * relative to the root of what was scanned; one that names no file is to be stable.
   */
  placeOf?: (finding: Finding) => Location | undefined;
  /** The state of a finding compared with the earlier run: `new`, `unchanged`, `updated`, `absent`. */
  baselineOf?: (finding: Finding) => Result.baselineState;
  startedAt?: Date;
  endedAt?: Date;
  /** False for a run that has not done all that it was asked for; default true. */
  isSuccessful?: boolean;
}

/** A path as a relative reference: letters that a URI cannot have are escaped, and a colon is no scheme. */
const uriOf = (path: string): string => path.toWellFormed().split('/').map(encodeURIComponent).join('/');

const regionOf = ({ startLine, endLine, startColumn, endColumn, snippet }: Location): Region | undefined =>
  startLine === undefined
    ? undefined
    : {
        startLine,
        ...(endLine !== undefined && { endLine }),
        ...(startColumn !== undefined && { startColumn }),
        ...(endColumn !== undefined && { endColumn }),
        ...(snippet !== undefined && { snippet: { text: snippet } }),
      };

function locationOf(location: Location, text?: string): SarifLocation {
  const region = regionOf(location);
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(location.path), uriBaseId: root },
      ...(region !== undefined && { region }),
    },
    ...(text !== undefined && { message: { text: messageText(text) } }),
  };
}

const flowOf = (steps: readonly FlowStep[]): CodeFlow => ({
  threadFlows: [
    {
      locations: steps.map(({ location, role, text }, i) => ({
        location: locationOf(location, text ?? role),
        executionOrder: i + 1,
        kinds: [role],
        importance: role === 'step' ? 'important' : 'essential',
      })),
    },
  ],
});

/** The frameworks that references name, each as a component with the entries that are named. */
class Taxonomies {
  readonly #named = new Map<string, string[]>();

  constructor(refs: readonly FrameworkRef[]) {
    for (const { framework, id } of refs) {
      const ids = this.#named.get(framework) ?? [];
      if (!ids.includes(id)) ids.push(id);
      this.#named.set(framework, ids);
    }
  }

  reference({ framework, id }: FrameworkRef) {
    const index = [...this.#named.keys()].indexOf(framework);
    return {
      id,
      index: this.#named.get(framework)?.indexOf(id) ?? -1,
      toolComponent: { name: framework, index },
    };
  }

  components(): ToolComponent[] {
    return [...this.#named].map(([name, ids]) => {
      const framework = frameworks().get(name);
      return {
        name,
        ...(framework !== undefined && {
          fullName: framework.name,
          version: framework.version,
          informationUri: framework.source,
        }),
        isComprehensive: false,
        taxa: ids.map((id) => ({
          id,
          shortDescription: { text: messageText(findEntry({ framework: name, id })?.title ?? id) },
        })),
      };
    });
  }
}

const descriptorOf = (rule: Rule, taxonomies: Taxonomies): ReportingDescriptor => ({
  id: rule.id,
  shortDescription: { text: messageText(rule.title) },
  fullDescription: { text: messageText(rule.description ?? rule.title) },
  ...(rule.remedy !== undefined && { help: { text: messageText(rule.remedy) } }),
  ...(rule.helpUri !== undefined && { helpUri: rule.helpUri }),
  defaultConfiguration: { level: sarifLevels[rule.severity] },
  relationships: rule.frameworks.map((ref) => ({ target: taxonomies.reference(ref), kinds: ['relevant'] })),
  properties: {
    tags: [...rule.tags],
    'security-severity': securityScores[rule.severity].toFixed(1),
    ...(rule.version !== undefined && { version: rule.version }),
  },
});

const suppressionOf = ({ reason, by, at, until }: Suppression) => ({
  kind: 'external' as const,
  status: 'accepted' as const,
  justification: reason,
  properties: given({ by, at: at.toISOString(), until: until?.toISOString() }),
});

function placesOf(
  { location: own, subject }: Finding,
  other: Location | undefined,
): SarifLocation[] | undefined {
  const location = own ?? other;
  if (location === undefined && subject === undefined) return undefined;
  const named = subject === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: subject }] };
  return [{ ...(location === undefined ? {} : locationOf(location)), ...named }];
}

function resultOf(finding: Finding, ruleIndex: number, taxonomies: Taxonomies, input: SarifInput): Result {
  const { title, description, severity, confidence, flow = [], suppression, frameworks: refs } = finding;
  const { otherPlaces = [] } = finding;
  return given({
    ruleId: finding.rule,
    ruleIndex: ruleIndex >= 0 ? ruleIndex : undefined,
    kind: severity === 'info' ? ('informational' as const) : ('fail' as const),
    level: sarifLevels[severity],
    message: { text: messageText(description === '' ? title : description) },
    locations: placesOf(finding, input.placeOf?.(finding)),
    relatedLocations:
      otherPlaces.length > 0
        ? otherPlaces.map((place, i) => ({ id: i + 1, ...locationOf(place) }))
        : undefined,
    codeFlows: flow.length > 0 ? [flowOf(flow)] : undefined,
    partialFingerprints: {
      [fingerprintName]: finding.fingerprint,
      primaryLocationLineHash: finding.fingerprint,
    },
    taxa: refs.length > 0 ? refs.map((ref) => taxonomies.reference(ref)) : undefined,
    baselineState: input.baselineOf?.(finding),
    suppressions: suppression === undefined ? undefined : [suppressionOf(suppression)],
    properties: given({
      title,
      severity,
      confidence,
      tags: [...finding.tags],
      evidence: finding.evidence,
      remedy: finding.remedy,
    }),
  });
}

/**
 * Findings as a SARIF 2.1.0 log of one run, with rules, flows, fingerprints, suppressions and the frameworks named.
 * @throws RangeError where a rule or finding names an entry that its framework does not have.
 */
export function sarifOf(input: SarifInput): Log {
  const { tool, rules, findings, startedAt, endedAt, isSuccessful = true } = input;
  const taxonomies = new Taxonomies([...rules, ...findings].flatMap((each) => each.frameworks));
  const indexes = new Map(rules.map(({ id }, i) => [id, i]));
  const components = taxonomies.components();
  const run: Run = {
    tool: {
      driver: {
        name: tool.name,
        version: tool.version,
        ...(tool.informationUri !== undefined && { informationUri: tool.informationUri }),
        rules: rules.map((rule) => descriptorOf(rule, taxonomies)),
        ...(components.length > 0 && {
          supportedTaxonomies: components.map(({ name }, index) => ({ name, index })),
        }),
      },
    },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [root]: { description: { text: 'The root of what was scanned.' } } },
    ...(components.length > 0 && { taxonomies: components }),
    ...(endedAt !== undefined && {
      invocations: [
        {
          executionSuccessful: isSuccessful,
          ...(startedAt !== undefined && { startTimeUtc: startedAt.toISOString() }),
          endTimeUtc: endedAt.toISOString(),
        },
      ],
    }),
    results: findings.map((finding) => resultOf(finding, indexes.get(finding.rule) ?? -1, taxonomies, input)),
  };
  return { $schema: schemaUri, version: '2.1.0', runs: [run] };
}
