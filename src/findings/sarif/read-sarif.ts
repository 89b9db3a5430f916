import { AppError } from '#base/errors.ts';
import type {
  Finding,
  FlowStep,
  FrameworkRef,
  Location,
  Observation,
  Rule,
  Suppression,
} from '../finding.ts';
import { withFingerprints } from '../fingerprint.ts';
import { findEntry } from '../frameworks.ts';
import { given } from '../given.ts';
import { type Confidence, type Severity, confidences, findSeverity, severityOfScore } from '../severity.ts';
import { Reader } from './json-reader.ts';
import { plainMessage } from './message.ts';
import { fingerprintName } from './write-sarif.ts';

/** Limit of runs in one log. */
const mostRuns = 100;
const mostResults = 50_000;
const mostRules = 20_000;
const mostSteps = 1000;
const mostTags = 100;

/** What one tool found. */
export interface ReadRun {
  tool: { name: string; version?: string };
  rules: Rule[];
  findings: Finding[];
}

const invalid = (detail: string) => new AppError(422, 'invalid_sarif', detail);

/**
 * Reads the runs of a SARIF 2.1.0 log of any tool. Texts are kept as they are (escape them on output); unknown properties
 * are dropped; paths are never opened. Another tool's fingerprint becomes part of ours.
 * @throws AppError 422 `invalid_sarif` that names the place in the log.
 */
export function readSarif(text: string): ReadRun[] {
  let log: unknown;
  try {
    log = JSON.parse(text);
  } catch {
    throw invalid('The SARIF log is not JSON.');
  }
  const reader = new Reader(log, '', invalid);
  const version = reader.text('version');
  if (version !== '2.1.0')
    throw invalid(`The SARIF log has version ${version ?? 'none'}; only 2.1.0 is read.`);
  return reader.list('runs', mostRuns).map(readRun);
}

function readRun(run: Reader): ReadRun {
  const driver = run.object('tool').object('driver');
  const name = driver.text('name');
  if (name === undefined) throw invalid(`${driver.path}/name is missing. It must name the tool.`);
  const version = driver.text('semanticVersion') ?? driver.text('version');
  const described = driver.list('rules', mostRules);
  const rules = described.map(readRule);
  const byId = new Map(rules.map((rule, i) => [rule.id, { rule, described: described[i] }]));
  const results = run.list('results', mostResults).filter((result) => result.text('kind') !== 'pass');
  const read = results.map((result) => {
    const index = result.number('ruleIndex') ?? result.object('rule').number('index');
    const id = result.text('ruleId') ?? result.object('rule').text('id') ?? rules[index ?? -1]?.id;
    // Ids of results may be finer than those of rules: `CA1000/1` is of the rule `CA1000`.
    const known = byId.get(id ?? '') ?? byId.get(id?.slice(0, Math.max(0, id.lastIndexOf('/'))) ?? '');
    return readResult(result, id ?? 'unnamed', known);
  });
  const contexts = new Map(read.map(({ observation, context }) => [observation, context]));
  const findings = withFingerprints([...contexts.keys()], (observation) => contexts.get(observation));
  return {
    tool: { name, ...(version !== undefined && { version }) },
    rules,
    findings: findings.map((finding, i) => ({
      ...finding,
      ...(read[i]?.own !== undefined && { fingerprint: read[i].own }),
      ...(read[i]?.suppression !== undefined && { suppression: read[i].suppression }),
    })),
  };
}

/** The severity from a property bag and a level. */
function severityOf(properties: Reader, level: string | undefined): Severity | undefined {
  const named = properties.text('severity');
  const score = Number(
    properties.text('security-severity') ?? properties.number('security-severity') ?? Number.NaN,
  );
  return (
    (named === undefined ? undefined : findSeverity(named)) ??
    (Number.isNaN(score) ? undefined : severityOfScore(score)) ??
    (level === undefined ? undefined : findSeverity(level))
  );
}

/** Tags such as `external/cwe/cwe-78` name entries that we know. */
function frameworksOf(tags: readonly string[], taxa: readonly Reader[]): FrameworkRef[] {
  const named = taxa.map((taxon) => ({
    framework: (taxon.object('toolComponent').text('name') ?? '').toLowerCase(),
    id: taxon.text('id') ?? '',
  }));
  const tagged = tags.flatMap((tag) => {
    const [, number] = /(?:^|[/:])cwe-0*(\d{1,4})\b/i.exec(tag) ?? [];
    return number === undefined ? [] : [{ framework: 'cwe', id: `CWE-${number}` }];
  });
  const refs = [...named, ...tagged].map(({ framework, id }) => ({
    framework,
    id: framework === 'cwe' && /^\d+$/.test(id) ? `CWE-${id}` : id,
  }));
  const unique = new Map(refs.map((ref) => [`${ref.framework} ${ref.id}`, ref]));
  return [...unique.values()].filter((ref) => findEntry(ref) !== undefined);
}

const textOf = (message: Reader): string | undefined => {
  const text = message.text('text') ?? message.text('markdown');
  return text === undefined ? undefined : plainMessage(text, message.texts('arguments', mostTags));
};

function readRule(rule: Reader): Rule {
  const id = rule.text('id');
  if (id === undefined) throw invalid(`${rule.path}/id is missing. Results refer to the rule by it.`);
  const properties = rule.object('properties');
  const tags = properties.texts('tags', mostTags);
  const helpUri = rule.text('helpUri');
  const targets = rule.list('relationships', mostTags).map((each) => each.object('target'));
  return given({
    id,
    version: properties.text('version'),
    title: textOf(rule.object('shortDescription')) ?? rule.text('name') ?? id,
    description: textOf(rule.object('fullDescription')),
    severity: severityOf(properties, rule.object('defaultConfiguration').text('level')) ?? 'medium',
    remedy: textOf(rule.object('help')),
    helpUri: helpUri?.startsWith('https://') === true ? helpUri : undefined,
    tags,
    frameworks: frameworksOf(tags, targets),
  });
}

interface Known {
  rule: Rule;
  described: Reader | undefined;
}

interface ReadResult {
  observation: Observation;
  /** Our own fingerprint, where the log is one of ours. */
  own: string | undefined;
  /** What the fingerprint is made of where it is not. */
  context: string;
  suppression: Suppression | undefined;
}

function readResult(result: Reader, ruleId: string, known: Known | undefined): ReadResult {
  const properties = result.object('properties');
  const prints = result.object('partialFingerprints');
  const { location, subject } = placeOf(result);
  const flow = readFlow(result);
  const otherPlaces = result
    .list('relatedLocations', mostSteps)
    .map(readLocation)
    .filter((place) => place !== undefined);
  const texts = textsOf(result, ruleId, known);
  return {
    observation: given({
      rule: ruleId,
      ...texts,
      severity: severityOf(properties, result.text('level')) ?? known?.rule.severity ?? 'medium',
      confidence: confidenceOf(properties, known?.described),
      location,
      subject,
      evidence: properties.text('evidence'),
      flow: flow.length > 0 ? flow : undefined,
      otherPlaces: otherPlaces.length > 0 ? otherPlaces : undefined,
      ...namesOf(result, known),
    }),
    own: prints.text(fingerprintName),
    context: prints.text('primaryLocationLineHash') ?? location?.snippet ?? texts.description,
    suppression: readSuppression(result),
  };
}

/** The first place, in a file or by a name. */
function placeOf(result: Reader): { location: Location | undefined; subject: string | undefined } {
  const [place] = result.list('locations', mostSteps);
  const [logical] = place?.list('logicalLocations', mostTags) ?? [];
  return {
    location: place === undefined ? undefined : readLocation(place),
    subject: logical?.text('fullyQualifiedName') ?? logical?.text('name'),
  };
}

/** The result's own value, else that of its rule. */
function textsOf(result: Reader, ruleId: string, known: Known | undefined) {
  const properties = result.object('properties');
  const title = known?.rule.title ?? ruleId;
  return {
    title: properties.text('title') ?? title,
    description: resultText(result, known?.described) ?? title,
    remedy: properties.text('remedy') ?? known?.rule.remedy,
  };
}

function namesOf(result: Reader, known: Known | undefined) {
  const tags = result.object('properties').texts('tags', mostTags);
  const own = frameworksOf(tags, result.list('taxa', mostTags));
  return { tags, frameworks: own.length > 0 ? own : (known?.rule.frameworks ?? []) };
}

/** The result's own text, or the one of its rule that it names. */
function resultText(result: Reader, rule: Reader | undefined): string | undefined {
  const message = result.object('message');
  const own = textOf(message);
  const id = message.text('id');
  if (own !== undefined || id === undefined || rule === undefined) return own;
  const template = rule.object('messageStrings').object(id).text('text');
  return template === undefined ? undefined : plainMessage(template, message.texts('arguments', mostTags));
}

/** Code scanners say `precision` of a rule where we say the confidence of a finding. */
function confidenceOf(properties: Reader, rule: Reader | undefined): Confidence {
  const named = properties.text('confidence') ?? rule?.object('properties').text('precision');
  if (named === 'very-high') return 'high';
  return confidences.find((confidence) => confidence === named?.toLowerCase()) ?? 'medium';
}

function readLocation(location: Reader): Location | undefined {
  const physical = location.object('physicalLocation');
  const uri = physical.object('artifactLocation').text('uri');
  if (uri === undefined) return undefined;
  const region = physical.object('region');
  const snippet = region.object('snippet').text('text');
  const number = (name: 'startLine' | 'endLine' | 'startColumn' | 'endColumn') => {
    const value = region.number(name);
    return value !== undefined && Number.isInteger(value) && value > 0 ? { [name]: value } : {};
  };
  return {
    path: pathOf(uri),
    ...number('startLine'),
    ...number('endLine'),
    ...number('startColumn'),
    ...number('endColumn'),
    ...(snippet !== undefined && { snippet }),
  };
}

/** The name of a file as its tool wrote it, without the scheme. It is shown, never opened. */
function pathOf(uri: string): string {
  const path = uri.replace(/^file:\/\/[^/]*/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const roles = ['source', 'step', 'guard', 'sink'] as const;

function readFlow(result: Reader): FlowStep[] {
  const [flow] = result.list('codeFlows', mostSteps);
  const [thread] = flow?.list('threadFlows', mostSteps) ?? [];
  const steps = thread?.list('locations', mostSteps) ?? [];
  return steps.flatMap((step, i) => {
    const place = step.object('location');
    const location = readLocation(place);
    if (location === undefined) return [];
    const kinds = step.texts('kinds', mostTags);
    const byPlace = i === 0 ? 'source' : i === steps.length - 1 ? 'sink' : 'step';
    const role = roles.find((each) => kinds.includes(each)) ?? byPlace;
    const text = textOf(place.object('message'));
    return [{ location, role, ...(text !== undefined && text !== role && { text }) }];
  });
}

/** A suppression that was accepted; one that is under review or was rejected suppresses nothing (§3.35.3). */
function readSuppression(result: Reader): Suppression | undefined {
  const accepted = result
    .list('suppressions', mostTags)
    .find((each) => (each.text('status') ?? 'accepted') === 'accepted');
  if (accepted === undefined) return undefined;
  const properties = accepted.object('properties');
  const until = dateOf(properties.text('until'));
  return {
    reason: accepted.text('justification') ?? 'No reason was given.',
    by: properties.text('by') ?? 'the tool that made the log',
    at: dateOf(properties.text('at')) ?? new Date(0),
    ...(until !== undefined && { until }),
  };
}

function dateOf(text: string | undefined): Date | undefined {
  const date = new Date(text ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
